"""What calls have shown of an environment's functions is kept for each of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    if sa.inspect(op.get_bind()).has_table("function_notes"):  # as in the version before
        return
    op.create_table(
        "function_notes",
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("function", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "function"),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("function_notes")
