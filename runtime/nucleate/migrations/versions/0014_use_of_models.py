"""What models took by day, and replies kept by what was asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    counts = [sa.Column(name, sa.Integer(), nullable=False) for name in ("calls", "prompt_tokens", "completion_tokens")]
    op.create_table(
        "model_use",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        *counts,
        sa.Column("dollars", sa.Float(), nullable=False),
        sa.Column("unpriced", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "model"),
    )
    op.create_table(
        "model_reply",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("prompt", "model"),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("model_reply")
    op.drop_table("model_use")
