"""Tables of the release cycle: which version is being tried, what its trials showed, and what people corrected."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel


class CanaryRow(SQLModel, table=True):
    """The version that is tried beside a tool's active one; `number` is the one it gets when it is promoted."""

    __tablename__ = "canary"

    tool_id: int = Field(foreign_key="tool.id", primary_key=True)
    version_id: str = Field(foreign_key="tool_version.id", index=True)
    number: int
    plan_id: str | None = None
    approved_by: str
    at: datetime


class TrialRow(SQLModel, table=True):
    """One routed trial: what the version and its baseline made of one case. A side that did not run is NULL."""

    __tablename__ = "trial"

    id: int | None = Field(default=None, primary_key=True)
    version_id: str = Field(foreign_key="tool_version.id", index=True)
    baseline: str
    baseline_id: str | None = Field(default=None, foreign_key="tool_version.id")
    case_key: str
    passed: bool | None = None
    milliseconds: float | None = None
    tokens: int | None = None
    calls: int | None = None
    baseline_passed: bool | None = None
    baseline_milliseconds: float | None = None
    baseline_tokens: int | None = None
    baseline_calls: int | None = None
    activated: bool | None = None
    wanted: bool | None = None
    safe: bool = True
    regressed: bool = False
    detail: str = ""
    at: datetime


class CorrectionRow(SQLModel, table=True):
    """Somebody said that a version's answer was wrong."""

    __tablename__ = "correction"

    id: int | None = Field(default=None, primary_key=True)
    version_id: str = Field(foreign_key="tool_version.id", index=True)
    by: str
    why: str
    at: datetime
