"""A tool is found by its name alone, and an entry by what it refers to, without reading every row."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_index("ix_tool_name", "tool", ["name"])
    op.create_index("ix_entry_link_target", "entry_link", ["target"])


def downgrade() -> None:
    """Undo the change."""
    op.drop_index("ix_entry_link_target", "entry_link")
    op.drop_index("ix_tool_name", "tool")
