"""What the demo gained: calls for a task before and after its family had a tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from rich.console import Group, RenderableType
from rich.table import Table

from nucleate.demo.tasks import Task
from nucleate.runtime import Runtime
from nucleate_codifier import Decision
from nucleate_text_memory import Kind, Step


@dataclass(frozen=True, kw_only=True)
class Solved:
    """A task that was worked on, with the calls that it took."""

    task: Task
    steps: tuple[Step, ...]
    success: bool

    @property
    def tools(self) -> tuple[str, ...]:
        """Return the tools that were called."""
        return tuple(step.function for step in self.steps if "." not in step.function)


def summary_table(solved: Sequence[Solved], runtime: Runtime) -> RenderableType:
    """Return calls per task before and after, by family, and what the database holds now."""
    table = Table(title="Calls per task", title_justify="left")
    for column in ("family", "tasks", "solved", "calls before", "calls with a tool", "tools used"):
        table.add_column(column, justify="left" if column in ("family", "tools used") else "right")
    for family in dict.fromkeys(item.task.family.name for item in solved):
        table.add_row(*_row(family, [item for item in solved if item.task.family.name == family]))
    table.add_section()
    table.add_row(*_row("all", solved))
    return Group(table, _holdings(runtime))


def _row(name: str, items: Sequence[Solved]) -> tuple[str, ...]:
    before = [len(item.steps) for item in items if not item.tools]
    after = [len(item.steps) for item in items if item.tools]
    tools = sorted({tool for item in items for tool in item.tools}) if name != "all" else []
    solved = sum(item.success for item in items)
    return name, str(len(items)), str(solved), _mean(before), _mean(after), "\n".join(tools)


def _mean(counts: Sequence[int]) -> str:
    return f"{mean(counts):.1f}" if counts else "–"


def _holdings(runtime: Runtime) -> RenderableType:
    refused = [item for item in runtime.verdicts.list() if item.decision is Decision.REJECTED]
    table = Table.grid(padding=(0, 2))
    for kind in Kind:
        table.add_row(f"{kind.value}s", str(len(runtime.memory.entries(kind=kind))))
    table.add_row("tools", str(len(runtime.library.tools())))
    table.add_row("refused", str(len(refused)))
    return table
