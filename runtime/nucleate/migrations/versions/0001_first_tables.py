"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "entry",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("invalid_because", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("position"),
    )
    op.create_index(op.f("ix_entry_key"), "entry", ["key"], unique=False)
    op.create_index(op.f("ix_entry_scope"), "entry", ["scope"], unique=False)
    op.create_index(op.f("ix_entry_source"), "entry", ["source"], unique=False)
    op.create_table(
        "environment",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("functions", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index(op.f("ix_job_state"), "job", ["state"], unique=False)
    op.create_table(
        "recurrence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plan_id", sa.String(), nullable=False),
        sa.Column("input_key", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("related", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("plan_id", "input_key"),
    )
    op.create_index(op.f("ix_recurrence_plan_id"), "recurrence", ["plan_id"], unique=False)
    op.create_table(
        "recurrence_backoff",
        sa.Column("plan_id", sa.String(), nullable=False),
        sa.Column("threshold", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("plan_id"),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("query", sa.String(), nullable=False),
        sa.Column("input_key", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_task_scope"), "task", ["scope"], unique=False)
    op.create_table(
        "tool_version",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("tests", sa.String(), nullable=False),
        sa.Column("evidence", sa.String(), nullable=False),
        sa.Column("template", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_tool_version_name"), "tool_version", ["name"], unique=False)
    op.create_index(op.f("ix_tool_version_scope"), "tool_version", ["scope"], unique=False)
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("candidate", sa.String(), nullable=False),
        sa.Column("plan_id", sa.String(), nullable=True),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_verdict_decision"), "verdict", ["decision"], unique=False)
    op.create_index(op.f("ix_verdict_plan_id"), "verdict", ["plan_id"], unique=False)
    op.create_index(op.f("ix_verdict_scope"), "verdict", ["scope"], unique=False)
    op.create_table(
        "candidate_evidence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("input_key", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["task.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key", "task_id"),
    )
    op.create_index("ix_candidate_evidence_inputs", "candidate_evidence", ["key", "input_key"], unique=False)
    op.create_index(op.f("ix_candidate_evidence_task_id"), "candidate_evidence", ["task_id"], unique=False)
    op.create_table(
        "capability",
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("function", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["tool_version.id"],
        ),
        sa.PrimaryKeyConstraint("version_id", "function"),
    )
    op.create_index(op.f("ix_capability_function"), "capability", ["function"], unique=False)
    op.create_table(
        "dependency",
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("depends_on", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["depends_on"],
            ["tool_version.id"],
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["tool_version.id"],
        ),
        sa.PrimaryKeyConstraint("version_id", "depends_on"),
    )
    op.create_index(op.f("ix_dependency_depends_on"), "dependency", ["depends_on"], unique=False)
    op.create_table(
        "entry_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.String(), nullable=False),
        sa.Column("relation", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("stop", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["entry.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("entry_id", "relation", "target"),
    )
    op.create_index(op.f("ix_entry_link_entry_id"), "entry_link", ["entry_id"], unique=False)
    op.create_table(
        "entry_vector",
        sa.Column("entry_id", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["entry.id"],
        ),
        sa.PrimaryKeyConstraint("entry_id"),
    )
    op.create_index(op.f("ix_entry_vector_model"), "entry_vector", ["model"], unique=False)
    op.create_table(
        "invocation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("milliseconds", sa.Float(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["tool_version.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_invocation_version_id"), "invocation", ["version_id"], unique=False)
    op.create_table(
        "step",
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("function", sa.String(), nullable=False),
        sa.Column("arguments", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("error_kind", sa.String(), nullable=True),
        sa.Column("error_message", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["task.id"],
        ),
        sa.PrimaryKeyConstraint("task_id", "position"),
    )
    op.create_table(
        "tool",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("export_key", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("plan_id", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["tool_version.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("scope", "export_key"),
    )
    op.create_index(op.f("ix_tool_scope"), "tool", ["scope"], unique=False)
    op.create_index(op.f("ix_tool_state"), "tool", ["state"], unique=False)
    op.create_index(op.f("ix_tool_version_id"), "tool", ["version_id"], unique=False)
    op.create_table(
        "trajectory",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=True),
        sa.Column("reward", sa.Float(), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reflected_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["task.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("task_id"),
    )
    op.create_table(
        "release",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tool_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("from_state", sa.String(), nullable=True),
        sa.Column("to_state", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tool_id"],
            ["tool.id"],
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["tool_version.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_release_tool_id"), "release", ["tool_id"], unique=False)
    op.create_index(op.f("ix_release_version_id"), "release", ["version_id"], unique=False)


def downgrade() -> None:
    """Take the change back."""
    op.drop_index(op.f("ix_release_version_id"), table_name="release")
    op.drop_index(op.f("ix_release_tool_id"), table_name="release")
    op.drop_table("release")
    op.drop_table("trajectory")
    op.drop_index(op.f("ix_tool_version_id"), table_name="tool")
    op.drop_index(op.f("ix_tool_state"), table_name="tool")
    op.drop_index(op.f("ix_tool_scope"), table_name="tool")
    op.drop_table("tool")
    op.drop_table("step")
    op.drop_index(op.f("ix_invocation_version_id"), table_name="invocation")
    op.drop_table("invocation")
    op.drop_index(op.f("ix_entry_vector_model"), table_name="entry_vector")
    op.drop_table("entry_vector")
    op.drop_index(op.f("ix_entry_link_entry_id"), table_name="entry_link")
    op.drop_table("entry_link")
    op.drop_index(op.f("ix_dependency_depends_on"), table_name="dependency")
    op.drop_table("dependency")
    op.drop_index(op.f("ix_capability_function"), table_name="capability")
    op.drop_table("capability")
    op.drop_index(op.f("ix_candidate_evidence_task_id"), table_name="candidate_evidence")
    op.drop_index("ix_candidate_evidence_inputs", table_name="candidate_evidence")
    op.drop_table("candidate_evidence")
    op.drop_index(op.f("ix_verdict_scope"), table_name="verdict")
    op.drop_index(op.f("ix_verdict_plan_id"), table_name="verdict")
    op.drop_index(op.f("ix_verdict_decision"), table_name="verdict")
    op.drop_table("verdict")
    op.drop_index(op.f("ix_tool_version_scope"), table_name="tool_version")
    op.drop_index(op.f("ix_tool_version_name"), table_name="tool_version")
    op.drop_table("tool_version")
    op.drop_index(op.f("ix_task_scope"), table_name="task")
    op.drop_table("task")
    op.drop_table("recurrence_backoff")
    op.drop_index(op.f("ix_recurrence_plan_id"), table_name="recurrence")
    op.drop_table("recurrence")
    op.drop_index(op.f("ix_job_state"), table_name="job")
    op.drop_table("job")
    op.drop_table("environment")
    op.drop_index(op.f("ix_entry_source"), table_name="entry")
    op.drop_index(op.f("ix_entry_scope"), table_name="entry")
    op.drop_index(op.f("ix_entry_key"), table_name="entry")
    op.drop_table("entry")
