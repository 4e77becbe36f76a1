"""One verdict for each hash of what it depended on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("verdict", sa.Column("depends_on", sa.String(), nullable=True))
    op.create_index(op.f("ix_verdict_depends_on"), "verdict", ["depends_on"], unique=True)
