"""Rebuilds a tool from its plan: the plan's runs are done again with the functions as they are now, and codified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from nucleate import events
from nucleate.release.admission import Admission, Proposal
from nucleate.release.placing import Placing
from nucleate.release.redoing import occurrence_of, redo
from nucleate.services import Services
from nucleate.versions import evidence_of, view_of
from nucleate_codifier import Candidate, Refusal, codify
from nucleate_sandbox import Environment, FunctionError
from nucleate_text_memory import Entry, MemoryFault, Occurrence
from nucleate_tool_library import LibraryError, Release, State, Tool

REBUILD = "rebuild"
FEWEST_RUNS = 3


@dataclass(frozen=True, kw_only=True)
class Rebuilt:
    """The tool after the attempt: `result` is rebuilt, archived or waits."""

    tool: Tool
    result: str
    why: str


class Rebuilding:
    """Writes a new version from the plan, or archives the tool and says who depends on it."""

    def __init__(self, services: Services, admission: Admission, placing: Placing) -> None:
        self._services = services
        self._admission = admission
        self._placing = placing

    def rebuild(self, tool: Tool, against: str, *, dependents: Sequence[str]) -> Rebuilt:
        """Codify a suspect tool's plan again. SandboxError is an outage: the tool stays suspect."""
        if tool.pinned:
            return Rebuilt(tool=tool, result="waits", why=f"{against}; it is pinned, so a person decides")
        plan = self._plan(tool)
        if plan is None:
            return self._archive(tool, f"{against}; no plan is there to rebuild it from", dependents)
        live = self._services.scopes.live(tool.scope)
        if live is None:
            why = f"{against}; it is rebuilt when the environment {tool.scope!r} is attached"
            return Rebuilt(tool=tool, result="waits", why=why)
        runs = list(self._runs(tool, plan, live))
        if len(runs) < FEWEST_RUNS:
            return self._archive(tool, f"{against}; only {len(runs)} runs of its plan can be done again", dependents)
        return self._codify(tool, plan, runs, against, dependents)

    def _plan(self, tool: Tool) -> Entry | None:
        try:
            plan = self._services.memory.entry(tool.plan_id) if tool.plan_id else None
        except MemoryFault:
            return None
        return plan if plan is not None and plan.valid else None

    def _runs(self, tool: Tool, plan: Entry, live: Environment) -> Iterator[Occurrence]:
        """Yield the evidence of the tool, done again on copies of the environment as it is now."""
        evidence = evidence_of(tool.version)
        for example in (*evidence.seen, *evidence.held_out):
            try:
                calls = redo(example, tool.version.template, live.fork())
            except FunctionError:
                continue
            found = occurrence_of(example, calls, plan) if calls is not None else None
            if found is not None:
                yield found

    def _codify(
        self, tool: Tool, plan: Entry, runs: Sequence[Occurrence], against: str, dependents: Sequence[str]
    ) -> Rebuilt:
        tools = [item for item in self._services.tools(tool.scope) if item.name != tool.name]
        library = view_of(tools, self._services.similar)
        functions = self._services.scopes.view(tool.scope).functions
        taken = {item.name for item in tools}
        found = codify(plan, runs, functions=functions, library=library, name_taken=taken)
        if isinstance(found, Refusal):
            return self._archive(tool, f"{against}; {'; '.join(item.message for item in found.findings)}", dependents)
        candidate = _named(found.candidate, tool.name)
        self._services.say(events.CandidateMade(plan=plan, candidate=candidate))
        proposal = Proposal(
            candidate=candidate, evidence=found.evidence, by=REBUILD, why=f"rebuilt from its plan: {against}"
        )
        admitted = self._admission.propose(proposal)
        if admitted.tool is None:
            findings = "; ".join(item.message for item in admitted.verdict.findings)
            return self._archive(tool, f"{against}; rebuilt, it was refused: {findings}", dependents)
        return Rebuilt(tool=admitted.tool, result="rebuilt", why=against)

    def _archive(self, tool: Tool, why: str, dependents: Sequence[str]) -> Rebuilt:
        """Archive a tool that has been suspect for long enough; a change that passes brings none down for good."""
        fell = _last_fall(self._services.library.history(tool.name, tool.scope))
        until = fell + timedelta(days=self._services.settings.suspect_days)
        if datetime.now(UTC) < until:
            waits = f"suspect until {until:%Y-%m-%d}, then archived, unless its functions are again what they were"
            return Rebuilt(tool=tool, result="waits", why=f"{why}; {waits}")
        listed = f"; called by {', '.join(dependents)}" if dependents else "; nothing calls it"
        try:
            now = self._services.library.transition(
                tool.name, tool.scope, to=State.ARCHIVED, by=REBUILD, why=f"could not be rebuilt: {why}{listed}"
            )
        except LibraryError as error:  # somebody's pinned tool calls it: a person decides
            return Rebuilt(tool=tool, result="waits", why=f"{why}; {error}")
        self._placing.say(now, tool.state, by=REBUILD, why=why)
        return Rebuilt(tool=now, result="archived", why=why)


def _last_fall(history: Sequence[Release]) -> datetime:
    falls = (event.at for event in reversed(history) if event.now is State.SUSPECT and event.was is not State.SUSPECT)
    return next(falls, datetime(1970, 1, 1)).replace(tzinfo=UTC)


def _named(candidate: Candidate, name: str) -> Candidate:
    """Give a candidate the tool's own name, so that whoever calls it goes on finding it."""
    source = candidate.source.replace(f"def {candidate.name}(", f"def {name}(", 1)
    return replace(candidate, name=name, source=source)
