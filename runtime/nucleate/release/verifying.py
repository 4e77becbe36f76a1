"""Judges a registered tool again: it goes back to where it was, is rebuilt from its plan, or is archived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from nucleate.environments.schema_hashes import changed as changed_functions
from nucleate.release.admission import Admission, Proposal
from nucleate.release.contradictions import Contradictions
from nucleate.release.marking import IN_USE, callees_first, mark
from nucleate.release.placing import Placing
from nucleate.release.rebuilding import Rebuilding
from nucleate.services import Services
from nucleate.versions import candidate_of, evidence_of
from nucleate_codifier import Decision
from nucleate_sandbox import SandboxError
from nucleate_tool_library import LibraryError, State, Tool, ToolVersion

VERIFICATION = "verification"
MOST_SAID = 3  # the first findings; the verdict keeps all of them


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What became of a tool: `result` is unchanged, returned, relinked, rebuilt, archived, waits or pinned."""

    name: str
    scope: str
    was: State
    now: State
    result: str
    why: str = ""
    changed: tuple[str, ...] = ()
    dependents: tuple[str, ...] = ()


class Verifying:
    """Runs admission again where a function changed, or where a tool is suspect."""

    def __init__(self, services: Services, admission: Admission, placing: Placing) -> None:
        self._services = services
        self._admission = admission
        self._placing = placing
        self._rebuilding = Rebuilding(services, admission, placing)
        self._contradictions = Contradictions(services)

    def all(self, scope: str | None, names: Sequence[str] = ()) -> Iterator[Verified]:
        """Verify the named tools, or all of a scope: what is called comes before what calls it."""
        states = (*IN_USE, State.SUSPECT)
        chosen = {self._services.library.tool(name, scope).version.id for name in names}
        for tool in callees_first(self._services.library.tools(scope=scope, states=states)):
            if not names or tool.version.id in chosen:
                yield self.verify(tool.name, tool.scope)

    def verify(self, name: str, scope: str) -> Verified:
        """Verify one tool. SandboxError is an outage: nothing is known, and the tool stays as it is."""
        tool = self._services.library.tool(name, scope)
        functions = self._services.scopes.view(scope).functions
        changed = tuple(changed_functions(tool.version.schemas, functions))
        if tool.state is State.ARCHIVED or (tool.state is not State.SUSPECT and not changed):
            return _found(tool, tool, "unchanged")
        audited = self._contradictions.of(tool)
        if tool.state is State.SUSPECT and audited is not None and audited.groups:
            why = f"{audited.groups} groups of runs speak against it: {audited.how}; a person decides, or a new plan"
            return _found(tool, tool, "waits", why=why)
        if tool.pinned and tool.state is not State.SUSPECT:
            return _found(tool, tool, "pinned", changed=changed, why="a person decides: unpin it to verify it")
        if tool.state is not State.SUSPECT:
            mark(
                self._services, [(name, f"verified, since {', '.join(changed)} changed")], scope=scope, by=VERIFICATION
            )
            return replace(self._settle(self._services.library.tool(name, scope), changed), was=tool.state)
        return self._settle(tool, changed)

    def _settle(self, tool: Tool, changed: tuple[str, ...]) -> Verified:
        if tool.version.verdict.get("decision") == Decision.ADMITTED and not self._services.sandbox().final:
            stays = f"it stays {tool.state.value}, and is judged when it does"
            raise SandboxError(f"{tool.name!r} was judged with Docker, which does not answer; {stays}")
        dependents = self._dependents(tool)
        proposal = Proposal(
            candidate=candidate_of(tool.version),
            evidence=evidence_of(tool.version),
            release=partial(self._return, tool),
        )
        try:
            found = self._admission.propose(proposal, memory=self._admission.anew)
        except LibraryError as error:  # another process, or a person, was first
            now = self._services.library.tool(tool.name, tool.scope)
            return _found(tool, now, "unchanged", changed, str(error), dependents)
        if found.tool is None:
            against = "; ".join(finding.message for finding in found.verdict.findings[:MOST_SAID])
            rebuilt = self._rebuilding.rebuild(tool, against, dependents=dependents)
            return _found(tool, rebuilt.tool, rebuilt.result, changed, rebuilt.why, dependents)
        result = "returned" if found.tool.version.id == tool.version.id else "relinked"
        return _found(tool, found.tool, result, changed, _again(found.verdict.decision), dependents)

    def _return(self, tool: Tool, version: ToolVersion, state: State) -> Tool:
        state = self._state_before(tool) if state is State.ACTIVE else state
        why = _again(str(version.verdict["decision"]))
        return self._placing.put_back(tool, version, state, by=VERIFICATION, why=why)

    def _state_before(self, tool: Tool) -> State:
        """Return the state before the suspicion. A first version that failed its trial is a candidate at most:
        admission does not know better than the case that decided against it."""
        history = reversed(self._services.library.history(tool.name, tool.scope))
        fell = (event.was for event in history if event.now is State.SUSPECT and event.was is not State.SUSPECT)
        former = next(fell, None) or State.CANDIDATE
        failed = any(trial.regressed or not trial.safe for trial in self._services.trials.of(tool.version.id))
        return State.CANDIDATE if former is State.CANARY and failed else former

    def _dependents(self, tool: Tool) -> tuple[str, ...]:
        tools = self._services.library.tools(scope=tool.scope, states=(*IN_USE, State.SUSPECT))
        return tuple(item.name for item in tools if tool.version.id in item.version.dependencies)


def _found(
    tool: Tool,
    now: Tool,
    result: str,
    changed: tuple[str, ...] = (),
    why: str = "",
    dependents: tuple[str, ...] = (),
) -> Verified:
    return Verified(
        name=tool.name,
        scope=tool.scope,
        was=tool.state,
        now=now.state,
        result=result,
        why=why,
        changed=changed,
        dependents=dependents,
    )


def _again(decision: str) -> str:
    return f"judged again: {decision}"
