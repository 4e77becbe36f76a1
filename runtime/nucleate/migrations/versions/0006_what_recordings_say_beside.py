"""Trajectories keep what a recording says beside task, steps and outcome."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("trajectory", sa.Column("meta", sa.String(), server_default="{}", nullable=False))


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("trajectory", "meta")
