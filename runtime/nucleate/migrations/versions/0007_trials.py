"""Canaries, their trials, and what people corrected."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "canary",
        sa.Column("tool_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("plan_id", sa.String(), nullable=True),
        sa.Column("approved_by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["tool_id"], ["tool.id"]),
        sa.ForeignKeyConstraint(["version_id"], ["tool_version.id"]),
        sa.PrimaryKeyConstraint("tool_id"),
    )
    op.create_index(op.f("ix_canary_version_id"), "canary", ["version_id"], unique=False)
    op.create_table(
        "trial",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("baseline", sa.String(), nullable=False),
        sa.Column("baseline_id", sa.String(), nullable=True),
        sa.Column("case_key", sa.String(), nullable=False),
        *_side(""),
        *_side("baseline_"),
        sa.Column("activated", sa.Boolean(), nullable=True),
        sa.Column("wanted", sa.Boolean(), nullable=True),
        sa.Column("safe", sa.Boolean(), nullable=False),
        sa.Column("regressed", sa.Boolean(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["baseline_id"], ["tool_version.id"]),
        sa.ForeignKeyConstraint(["version_id"], ["tool_version.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_trial_version_id"), "trial", ["version_id"], unique=False)
    op.create_table(
        "correction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["tool_version.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_correction_version_id"), "correction", ["version_id"], unique=False)


def _side(prefix: str) -> tuple[sa.Column[bool], sa.Column[float], sa.Column[int], sa.Column[int]]:
    return (
        sa.Column(f"{prefix}passed", sa.Boolean(), nullable=True),
        sa.Column(f"{prefix}milliseconds", sa.Float(), nullable=True),
        sa.Column(f"{prefix}tokens", sa.Integer(), nullable=True),
        sa.Column(f"{prefix}calls", sa.Integer(), nullable=True),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("correction")
    op.drop_table("trial")
    op.drop_table("canary")
