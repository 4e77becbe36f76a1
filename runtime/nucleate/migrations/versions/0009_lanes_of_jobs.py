"""Jobs get lanes, turns, moments and leases that can be told apart; keys of old ones stay; days get a budget."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_NUMBERS = ("turn", "priority", "token", "deaths")


def upgrade() -> None:
    """Apply the change."""
    op.add_column("job", sa.Column("lane", sa.String(), server_default="", nullable=False))
    for name in _NUMBERS:
        op.add_column("job", sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    for name in ("not_before", "finished_at"):
        op.add_column("job", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE job SET state = 'dead' WHERE state = 'failed'")
    op.execute("UPDATE job SET finished_at = created_at WHERE state IN ('done', 'dead')")
    op.execute("UPDATE job SET turn = id")  # in the order in which they were put, as before
    op.drop_index("ix_job_state", table_name="job")
    op.create_index("ix_job_order", "job", ["state", "turn", "priority", "id"])
    in_lane = sa.text("state = 'running' AND lane <> ''")
    op.create_index("ix_job_running_lane", "job", ["lane"], unique=True, sqlite_where=in_lane, postgresql_where=in_lane)
    op.create_table(
        "finished_job",
        sa.Column("key", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "spending",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("dollars", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("day"),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("spending")
    op.drop_table("finished_job")
    op.drop_index("ix_job_running_lane", table_name="job")
    op.drop_index("ix_job_order", table_name="job")
    op.create_index("ix_job_state", "job", ["state"])
    for name in ("finished_at", "not_before", *reversed(_NUMBERS), "lane"):
        op.drop_column("job", name)
