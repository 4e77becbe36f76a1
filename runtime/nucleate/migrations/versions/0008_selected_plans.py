"""Trajectories name the plans that the agent was given for the task."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("trajectory", sa.Column("selected", sa.String(), server_default="[]", nullable=False))


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("trajectory", "selected")
