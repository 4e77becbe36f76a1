"""Closures and sums of uses are stored; names lead on after a rename; events say what was done."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# A cycle is impossible but in a damaged database; there the depth ends the walk.
_CLOSURE = """
INSERT INTO closure (version_id, member_id, depth)
WITH RECURSIVE walk (version_id, member_id, depth) AS (
    SELECT id, id, 0 FROM tool_version
    UNION
    SELECT walk.version_id, dependency.depends_on, walk.depth + 1
    FROM walk JOIN dependency ON dependency.version_id = walk.member_id
    WHERE walk.depth < (SELECT COUNT(*) FROM tool_version)
)
SELECT version_id, member_id, MAX(depth) FROM walk GROUP BY version_id, member_id
"""
_USAGE = """
INSERT INTO usage (version_id, tool_id, uses, passes)
SELECT tool_version.id, tool.id, COUNT(invocation.id), COALESCE(SUM(CASE WHEN invocation.ok THEN 1 ELSE 0 END), 0)
FROM tool_version
JOIN tool ON tool.name = tool_version.name AND tool.scope = tool_version.scope
LEFT JOIN invocation ON invocation.version_id = tool_version.id
GROUP BY tool_version.id, tool.id
"""


def upgrade() -> None:
    """Apply the change."""
    _tables()
    op.add_column("tool_version", sa.Column("summary", sa.String(), server_default="", nullable=False))
    op.add_column("release", sa.Column("action", sa.String(), server_default="moved", nullable=False))
    op.execute("UPDATE release SET action = 'registered' WHERE from_state IS NULL AND to_state <> 'canary'")
    op.execute("UPDATE release SET action = 'replaced' WHERE why LIKE 'replaced version %'")
    op.execute(_CLOSURE)
    op.execute(_USAGE)
    _summaries()


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("release", "action")
    op.drop_column("tool_version", "summary")
    for table in ("usage", "alias", "closure"):
        op.drop_table(table)


def _tables() -> None:
    op.create_table(
        "closure",
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["tool_version.id"]),
        sa.ForeignKeyConstraint(["version_id"], ["tool_version.id"]),
        sa.PrimaryKeyConstraint("version_id", "member_id"),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_closure_member_id"), "closure", ["member_id"], unique=False)
    op.create_table(
        "alias",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("export_key", sa.String(), nullable=False),
        sa.Column("tool_id", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["tool_id"], ["tool.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("scope", "export_key"),
    )
    for column in ("name", "tool_id"):
        op.create_index(op.f(f"ix_alias_{column}"), "alias", [column], unique=False)
    op.create_table(
        "usage",
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("tool_id", sa.Integer(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("passes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["tool_id"], ["tool.id"]),
        sa.ForeignKeyConstraint(["version_id"], ["tool_version.id"]),
        sa.PrimaryKeyConstraint("version_id"),
    )
    op.create_index(op.f("ix_usage_tool_id"), "usage", ["tool_id"], unique=False)


def _summaries() -> None:
    connection = op.get_bind()
    for key, signature in connection.execute(sa.text("SELECT id, signature FROM tool_version")).all():
        doc = str(json.loads(signature).get("doc", ""))
        summary = next((line.strip() for line in doc.splitlines() if line.strip()), "")
        connection.execute(
            sa.text("UPDATE tool_version SET summary = :summary WHERE id = :id"), {"summary": summary, "id": key}
        )
