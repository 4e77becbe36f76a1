"""The health of a library (ALGORITHMS §8): how much of it is used, how old it is, and what is idle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nucleate_tool_library.reading import lines
from nucleate_tool_library.reading.statements import StatementRunner, moment
from nucleate_tool_library.usage.usage import LibraryUse
from nucleate_tool_library.values import State

FEWEST_USES = 0.1
YOUNG = timedelta(days=30)
_GONE = (State.ARCHIVED.value, State.DRAFT.value)


@dataclass(frozen=True, kw_only=True)
class Aged:
    """A tool's name, scope, state and age."""

    name: str
    scope: str
    state: State
    age: timedelta
    pinned: bool = False


@dataclass(frozen=True, kw_only=True)
class LibraryHealth:
    """The figures of a library; `idle` are tools that nobody ever used and that are young no more.

    A mean below 0.1 uses per tool says that the library is not doing what it claims.
    """

    tools: int = 0
    states: Mapping[str, int] = field(default_factory=dict)
    uses_per_tool: float = 0.0
    share_used: float = 0.0
    mean_age_days: float = 0.0
    idle: tuple[str, ...] = ()

    @property
    def useful(self) -> bool:
        """Return whether the library does what it claims; an empty one claims nothing."""
        return self.tools == 0 or self.uses_per_tool >= FEWEST_USES


def ages(run: StatementRunner, *, scope: str | None = None, now: datetime) -> tuple[Aged, ...]:
    """Return every tool (of a scope) with its age, by scope and name."""
    return tuple(
        Aged(
            name=row.name,
            scope=row.scope,
            state=State(row.state),
            age=now - moment(row.created_at),
            pinned=bool(row.pinned),
        )
        for row in lines.chosen(run, scope, None)
    )


def library_health(tools: Sequence[Aged], use: LibraryUse) -> LibraryHealth:
    """Return the health of a library of these ages and this use; archived tools and drafts are left out."""
    here = {(tool.scope, tool.name): tool for tool in tools if tool.state not in _GONE}
    used = LibraryUse(tools=tuple(item for item in use.tools if (item.scope, item.name) in here))
    uses = {(item.scope, item.name): item.uses for item in used.tools}
    days = [tool.age / timedelta(days=1) for tool in here.values()]
    return LibraryHealth(
        tools=len(here),
        states=dict(sorted(Counter(tool.state.value for tool in tools).items())),
        uses_per_tool=used.uses_per_tool,
        share_used=used.share_used,
        mean_age_days=sum(days) / len(days) if days else 0.0,
        idle=tuple(
            tool.name
            for key, tool in here.items()
            if not uses.get(key) and tool.age >= YOUNG and not tool.pinned and tool.state is State.ACTIVE
        ),
    )
