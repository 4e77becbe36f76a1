"""Trajectories hold what the user said after the query, and name the runs that are one task with them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    known = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("trajectory")}
    if "said" in known:  # a database that was made with the columns, and marked as one without them
        return
    op.add_column("trajectory", sa.Column("said", sa.String(), server_default="[]", nullable=False))
    op.add_column("trajectory", sa.Column("group", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("trajectory", "group")
    op.drop_column("trajectory", "said")
