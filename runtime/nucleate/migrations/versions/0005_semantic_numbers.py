"""Versions say who wrote them and against which schemas; tools bear a semantic number and may be pinned."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    for name, default in (("author", ""), ("prompt_hash", ""), ("schemas", "{}")):
        op.add_column("tool_version", sa.Column(name, sa.String(), server_default=default, nullable=False))
    op.add_column("tool", sa.Column("pinned", sa.Boolean(), server_default=sa.false(), nullable=False))
    for table in ("tool", "release"):
        op.add_column(table, sa.Column("release", sa.String(), server_default="1.0.0", nullable=False))
        # How an old version differs from the one before it was not kept: each counts as a major step.
        op.execute(f"UPDATE {table} SET release = CAST(number AS VARCHAR) || '.0.0'")  # noqa: S608  # our own names


def downgrade() -> None:
    """Undo the change."""
    for table in ("tool", "release"):
        op.drop_column(table, "release")
    op.drop_column("tool", "pinned")
    for name in ("schemas", "prompt_hash", "author"):
        op.drop_column("tool_version", name)
