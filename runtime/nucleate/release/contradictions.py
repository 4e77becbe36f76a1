"""Holds runs against the tools of their plans: a tool that wrote something else than a judged run is stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nucleate.release.marking import IN_USE, suspect
from nucleate.services import Services
from nucleate_codifier import Template
from nucleate_codifier.trace.carry_out.contradicting import contradicted_by, contradiction, groups_against
from nucleate_sandbox import FunctionSpec
from nucleate_text_memory import Entry, MemoryFault, Occurrence
from nucleate_tool_library import Tool

BY = "evidence"


@dataclass(frozen=True, kw_only=True)
class AuditedTool:
    """A tool held against all runs of its plan: how many there are, and the groups of inputs that speak against it."""

    tool: Tool
    runs: int
    groups: int
    tasks: tuple[str, ...] = ()
    how: str = ""


class Contradictions:
    """Looks at one run as it comes, or at all runs of a scope."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def look(self, scope: str, task_id: str, plans: Iterable[Entry]) -> tuple[str, ...]:
        """Make the tools suspect that a new run speaks against, and return their names.

        One group of inputs is enough: the plan's tool is codified anew with all runs, and a tool that writes is refused
        where one judged run contradicts it. Failed and unjudged runs, and calls that an answer's text ordered, say
        nothing.
        """
        followed = {plan.id: plan for plan in plans}
        tools = [tool for tool in self._services.tools(scope) if tool.state in IN_USE and tool.plan_id in followed]
        hit = [(tool.name, how) for tool in tools for how in self._against(tool, task_id)]
        return suspect(self._services, hit, scope=scope, by=BY) if hit else ()

    def audit(self, scope: str | None = None) -> tuple[AuditedTool, ...]:
        """Hold every tool in use that has a plan and a template against all stored runs of its plan."""
        tools = self._services.library.tools(scope=scope, states=IN_USE)
        return tuple(found for tool in tools if (found := self.of(tool)) is not None)

    def of(self, tool: Tool) -> AuditedTool | None:
        """Hold one tool against all runs of its plan; None where it has no plan or no template."""
        runs = list(self._runs(tool))
        if not tool.version.template or not tool.plan_id:
            return None
        against = contradicted_by(Template.from_json(tool.version.template), runs, self._functions(tool))
        return AuditedTool(
            tool=tool,
            runs=len(runs),
            groups=groups_against(against),
            tasks=tuple(one.trajectory.task_id for one, _ in against),
            how=against[0][1] if against else "",
        )

    def _against(self, tool: Tool, task_id: str) -> Iterator[str]:
        if tool.version.template:
            template, functions = Template.from_json(tool.version.template), self._functions(tool)
            for run in self._runs(tool, task_id):
                how = contradiction(template, run, functions)
                if how is not None:
                    yield f"the run of task {task_id!r} speaks against it: {how}"

    def _runs(self, tool: Tool, *tasks: str) -> list[Occurrence]:
        try:
            return self._services.memory.occurrences(tool.plan_id or "", task_ids=tasks or None)
        except MemoryFault:  # the plan was forgotten
            return []

    def _functions(self, tool: Tool) -> Mapping[str, FunctionSpec]:
        return self._services.scopes.view(tool.scope).functions
