"""Entries get a second time axis, trust, a status and events; trajectories may be dropped with a reason."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_COLUMNS: tuple[tuple[str, sa.types.TypeEngine[Any], str | None], ...] = (
    ("content", sa.String(), ""),
    ("content_hash", sa.String(), ""),
    ("author", sa.String(), ""),
    ("trust", sa.String(), "agent"),
    ("status", sa.String(), "active"),
    ("sensitivity", sa.String(), "internal"),
    ("importance", sa.Float(), "0.5"),
    ("recorded_at", _MOMENT, "1970-01-01 00:00:00.000000"),
    ("use_count", sa.Integer(), "0"),
    ("retired_at", _MOMENT, None),
    ("expires_at", _MOMENT, None),
    ("held_because", sa.String(), None),
    ("used_at", _MOMENT, None),
)


def upgrade() -> None:
    """Apply the change."""
    for name, kind, default in _COLUMNS:
        op.add_column("entry", sa.Column(name, kind, server_default=default, nullable=default is None))
    op.create_index(op.f("ix_entry_status"), "entry", ["status"], unique=False)
    # What was known of an old entry: it was believed from when it began to hold until it was invalidated.
    op.execute("UPDATE entry SET recorded_at = valid_from, retired_at = CASE WHEN valid THEN NULL ELSE valid_to END")
    op.execute("UPDATE entry SET trust = 'user' WHERE source LIKE 'user%'")
    op.execute(
        "UPDATE entry SET status = CASE WHEN invalid_because LIKE 'superseded by %' THEN 'superseded' "
        "ELSE 'invalidated' END WHERE NOT valid"
    )
    op.add_column("trajectory", sa.Column("dropped_at", _MOMENT, nullable=True))
    op.add_column("trajectory", sa.Column("dropped_because", sa.String(), nullable=True))
    op.create_table(
        "entry_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.String(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("other", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_entry_event_entry_id"), "entry_event", ["entry_id"], unique=False)


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("entry_event")
    op.drop_column("trajectory", "dropped_because")
    op.drop_column("trajectory", "dropped_at")
    op.drop_index(op.f("ix_entry_status"), "entry")
    for name, _kind, _default in _COLUMNS:
        op.drop_column("entry", name)
