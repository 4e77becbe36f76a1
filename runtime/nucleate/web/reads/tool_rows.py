"""Tools as a list shows them: filtered, sorted and cut in the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, exists, or_
from sqlmodel import SQLModel, col, func

from nucleate.web.reads.selecting import select
from nucleate_tool_library.tables import CapabilityRow, ClosureRow, InvocationRow, ToolRow, ToolVersionRow, UsageRow
from nucleate_tool_library.trials.trial_tables import CanaryRow

TOOL = SQLModel.metadata.tables[str(ToolRow.__tablename__)]
PER_PAGE = 40
_LATEST = 100  # calls from which the calls that a use saves are taken
ORDERS = ("name", "uses", "newest")


@dataclass(frozen=True, kw_only=True)
class ToolCard:
    """One tool: how it stands, what it does in one line, and what it has saved."""

    id: int
    name: str
    scope: str
    state: str
    release: str
    number: int
    pinned: bool
    created_at: datetime
    version_id: str
    summary: str = ""
    uses: int = 0
    passes: int = 0
    saved: float = 0.0
    on_trial: bool = False
    effect: str = ""


@dataclass(frozen=True, kw_only=True)
class ToolFilter:
    """Which tools: each part empty for all. `ids` are those that a search found, best first."""

    ids: Sequence[int] | None = None
    state: str = ""
    scope: str = ""
    effect: str = ""
    use: str = ""
    health: str = ""
    order: str = "name"
    page: int = 0


Effects = Mapping[str, Mapping[str, str]]  # scope → function → effect


def tools(engine: Engine, wanted: ToolFilter, effects: Effects) -> tuple[int, list[ToolCard]]:
    """Return how many tools there are of these, and one page of them."""
    conditions = _conditions(wanted, effects)
    listed = _ordered(select(*TOOL.c).where(*conditions), wanted)
    with engine.begin() as connection:
        count = connection.scalar(select(func.count()).select_from(ToolRow).where(*conditions)) or 0
        rows = connection.execute(listed.limit(PER_PAGE).offset(wanted.page * PER_PAGE)).all()
    return count, cards(engine, rows, effects)


def states(engine: Engine) -> dict[str, int]:
    """Return how many tools are in each state."""
    with engine.begin() as connection:
        rows = connection.execute(select(ToolRow.state, func.count()).group_by(ToolRow.state))
        return {str(row[0]): int(row[1]) for row in rows}


def cards(engine: Engine, rows: Sequence[Any], effects: Effects) -> list[ToolCard]:
    """Return rows of `tool` with what a card shows beside them."""
    ids, versions = [row.id for row in rows], [row.version_id for row in rows]
    uses = select(UsageRow.tool_id, func.sum(UsageRow.uses), func.sum(UsageRow.passes))
    lines = select(ToolVersionRow.id, ToolVersionRow.summary).where(col(ToolVersionRow.id).in_(versions))
    reached = (
        select(ClosureRow.version_id, CapabilityRow.function)
        .join(CapabilityRow, col(CapabilityRow.version_id) == col(ClosureRow.member_id))
        .where(col(ClosureRow.version_id).in_(versions))
    )
    with engine.begin() as connection:
        counted = {
            row[0]: (int(row[1]), int(row[2]))
            for row in connection.execute(uses.where(col(UsageRow.tool_id).in_(ids)).group_by(col(UsageRow.tool_id)))
        }
        summaries = {row[0]: row[1] for row in connection.execute(lines)}
        trying = set(connection.scalars(select(CanaryRow.tool_id).where(col(CanaryRow.tool_id).in_(ids))))
        functions: dict[str, set[str]] = {}
        for version, function in connection.execute(reached):
            functions.setdefault(version, set()).add(function)
        means = {row.version_id: connection.scalar(_mean_calls(row.version_id)) for row in rows if row.id in counted}
    return [
        ToolCard(
            id=row.id or 0,
            name=row.name,
            scope=row.scope,
            state=row.state,
            release=row.release,
            number=row.number,
            pinned=bool(row.pinned),
            created_at=row.created_at,
            version_id=row.version_id,
            summary=summaries.get(row.version_id, ""),
            uses=counted.get(row.id, (0, 0))[0],
            passes=counted.get(row.id, (0, 0))[1],
            saved=max(0.0, (means.get(row.version_id) or 1) - 1) * counted.get(row.id, (0, 0))[1],
            on_trial=row.id in trying or row.state == "canary",
            effect=worst(effects.get(row.scope, {}).get(name, "") for name in functions.get(row.version_id, ())),
        )
        for row in rows
    ]


def worst(found: Iterable[str]) -> str:
    """Return the gravest of several effects; `read` for none."""
    each = set(found)
    return next((name for name in ("destructive", "write") if name in each), "read")


def _mean_calls(version_id: str) -> Select[Any]:
    """Return the query for how many calls a use stands for, from the latest ones that went well."""
    latest = (
        select(col(InvocationRow.calls))
        .where(col(InvocationRow.version_id) == version_id, col(InvocationRow.ok), col(InvocationRow.error).is_(None))
        .order_by(col(InvocationRow.id).desc())
        .limit(_LATEST)
        .subquery()
    )
    return select(func.avg(latest.c.calls))


def _conditions(wanted: ToolFilter, effects: Effects) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.ids is not None:
        found.append(col(ToolRow.id).in_(wanted.ids))
    if wanted.state:
        found.append(col(ToolRow.state) == wanted.state)
    elif wanted.ids is None:
        found.append(col(ToolRow.state) != "archived")
    if wanted.scope:
        found.append(col(ToolRow.scope) == wanted.scope)
    if wanted.effect:
        found.append(_effect(wanted.effect, effects))
    if wanted.use in ("used", "unused"):
        used = exists().where(col(UsageRow.tool_id) == col(ToolRow.id), col(UsageRow.uses) > 0)
        found.append(used if wanted.use == "used" else ~used)
    if wanted.health:
        found.append(_health(wanted.health))
    return found


def _health(name: str) -> ColumnElement[bool]:
    failing = exists().where(
        col(UsageRow.tool_id) == col(ToolRow.id),
        col(UsageRow.uses) > 0,
        col(UsageRow.passes) * 10 < col(UsageRow.uses) * 9,
    )
    trying = exists().where(col(CanaryRow.tool_id) == col(ToolRow.id))
    each: dict[str, ColumnElement[bool]] = {
        "suspect": col(ToolRow.state) == "suspect",
        "failing": failing,
        "trial": or_(trying, col(ToolRow.state) == "canary"),
        "pinned": col(ToolRow.pinned).is_(True),
        "sound": and_(col(ToolRow.state) == "active", ~failing),
    }
    return each.get(name, col(ToolRow.id).is_not(None))


def _effect(name: str, effects: Effects) -> ColumnElement[bool]:
    """Return the condition of tools whose gravest effect is this one, in their own scope."""
    if name == "read":
        return ~_reaches(effects, {"write", "destructive"})
    if name == "write":
        return and_(_reaches(effects, {"write"}), ~_reaches(effects, {"destructive"}))
    return _reaches(effects, {name})


def _reaches(effects: Effects, names: set[str]) -> ColumnElement[bool]:
    each = [
        and_(col(ToolRow.scope) == scope, col(CapabilityRow.function).in_([f for f, e in known.items() if e in names]))
        for scope, known in effects.items()
    ]
    return (
        exists()
        .where(
            col(ClosureRow.version_id) == col(ToolRow.version_id),
            col(CapabilityRow.version_id) == col(ClosureRow.member_id),
            or_(*each) if each else col(ToolRow.id).is_(None),
        )
        .correlate(ToolRow)
    )


def _ordered(query: Select[Any], wanted: ToolFilter) -> Select[Any]:
    if wanted.order == "uses":
        uses = select(UsageRow.tool_id, func.sum(UsageRow.uses).label("uses")).group_by(col(UsageRow.tool_id))
        sums = uses.subquery()
        query = query.outerjoin(sums, sums.c.tool_id == col(ToolRow.id))
        return query.order_by(func.coalesce(sums.c.uses, 0).desc(), col(ToolRow.name))
    if wanted.order == "newest":
        return query.order_by(col(ToolRow.id).desc())
    return query.order_by(col(ToolRow.name), col(ToolRow.scope))


def row_of(engine: Engine, name: str, scope: str) -> Any:
    """Return the row of one tool."""
    with engine.begin() as connection:
        return connection.execute(select(*TOOL.c).where(TOOL.c.name == name, TOOL.c.scope == scope)).one()


def resting_on(engine: Engine, plan_id: str, names: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the tools that were made from an entry, as (name, scope, state)."""
    made = or_(TOOL.c.plan_id == plan_id, TOOL.c.name.in_(names)) if names else TOOL.c.plan_id == plan_id
    with engine.begin() as connection:
        rows = connection.execute(select(TOOL.c.name, TOOL.c.scope, TOOL.c.state).where(made).limit(50))
        return [(row[0], row[1], row[2]) for row in rows]
