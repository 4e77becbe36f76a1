"""The third-party packages that a tool version is run with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("tool_version", sa.Column("lock", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("tool_version", "lock")
