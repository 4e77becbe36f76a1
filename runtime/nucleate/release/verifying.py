"""Judges a registered tool again: it goes back to where it was, is rebuilt from its plan, or is archived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nucleate import events
from nucleate.release.marking import IN_USE, callees_first, mark
from nucleate.release.parts import ReleaseParts
from nucleate.release.rebuilding import Rebuilding
from nucleate.release.schemas import changed as changed_functions
from nucleate.release.schemas import schema_hashes
from nucleate.versions import candidate_of, evidence_of, version_of, view_of
from nucleate_codifier import Decision, Verdict, admit
from nucleate_sandbox import JsonObject, SandboxError
from nucleate_tool_library import LibraryError, State, Tool

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

    def __init__(self, parts: ReleaseParts) -> None:
        self._parts = parts
        self._rebuilding = Rebuilding(parts)

    def all(self, scope: str | None, names: Sequence[str] = ()) -> Iterator[Verified]:
        """Verify the named tools, or all of a scope: what is called comes before what calls it."""
        states = (*IN_USE, State.SUSPECT)
        chosen = {self._parts.library.tool(name, scope).version.id for name in names}
        for tool in callees_first(self._parts.library.tools(scope=scope, states=states)):
            if not names or tool.version.id in chosen:
                yield self.verify(tool.name, tool.scope)

    def verify(self, name: str, scope: str) -> Verified:
        """Verify one tool. SandboxError is an outage: nothing is known, and the tool stays as it is."""
        tool = self._parts.library.tool(name, scope)
        functions = self._parts.scopes.view(scope).functions
        changed = tuple(changed_functions(tool.version.schemas, functions))
        if tool.state is State.ARCHIVED or (tool.state is not State.SUSPECT and not changed):
            return _found(tool, tool, "unchanged")
        if tool.pinned and tool.state is not State.SUSPECT:
            return _found(tool, tool, "pinned", changed=changed, why="a person decides: unpin it to verify it")
        if tool.state is not State.SUSPECT:
            mark(self._parts, [(name, f"verified, since {', '.join(changed)} changed")], scope=scope, by=VERIFICATION)
            return replace(self._settle(self._parts.library.tool(name, scope), changed), was=tool.state)
        return self._settle(tool, changed)

    def _settle(self, tool: Tool, changed: tuple[str, ...]) -> Verified:
        dependents = self._dependents(tool)
        verdict = self._judge(tool)
        self._parts.verdicts.add(candidate_of(tool.version), verdict)
        if verdict.decision is Decision.UNJUDGED:
            raise SandboxError("; ".join(finding.message for finding in verdict.findings))
        if verdict.decision is Decision.REJECTED:
            against = "; ".join(finding.message for finding in verdict.findings[:MOST_SAID])
            rebuilt = self._rebuilding.rebuild(tool, against, dependents=dependents)
            return _found(tool, rebuilt.tool, rebuilt.result, changed, rebuilt.why, dependents)
        return self._return(tool, verdict, changed, dependents)

    def _judge(self, tool: Tool) -> Verdict:
        view = view_of(self._parts.library.tools(scope=tool.scope), self._parts.similar)
        return admit(
            candidate_of(tool.version),
            library=replace(
                view,
                tools={name: version for name, version in view.tools.items() if name != tool.name},
                unusable={name: why for name, why in view.unusable.items() if name != tool.name},
            ),
            environment=self._parts.scopes.view(tool.scope),
            sandbox=self._parts.sandbox(),
            evidence=evidence_of(tool.version),
            policy=self._parts.policy,
        )

    def _return(self, tool: Tool, verdict: Verdict, changed: tuple[str, ...], dependents: tuple[str, ...]) -> Verified:
        """Put a tool back where it was, with the new hashes; as a new version where what it calls is a new one."""
        state = self._state_after(tool, verdict)
        why = f"judged again: {verdict.decision.value}"
        same = set(verdict.dependencies) == set(tool.version.dependencies)
        try:
            now = self._put_back(tool, state, verdict, why) if same else self._relink(tool, state, verdict, why)
        except LibraryError as error:  # another process, or a person, was first
            now = self._parts.library.tool(tool.name, tool.scope)
            return _found(tool, now, "unchanged", changed, str(error), dependents)
        self._parts.listen(
            events.ToolReleased(name=tool.name, scope=tool.scope, was=tool.state, now=state, by=VERIFICATION, why=why)
        )
        return _found(tool, now, "returned" if same else "relinked", changed, why, dependents)

    def _put_back(self, tool: Tool, state: State, verdict: Verdict, why: str) -> Tool:
        self._parts.schemas.stamp(tool.version.id, self._hashes(tool, verdict))
        return self._parts.library.transition(tool.name, tool.scope, to=state, by=VERIFICATION, why=why)

    def _relink(self, tool: Tool, state: State, verdict: Verdict, why: str) -> Tool:
        version = version_of(candidate_of(tool.version), evidence=evidence_of(tool.version), verdict=verdict)
        return self._parts.library.register(
            replace(version, schemas=self._hashes(tool, verdict)),
            state=state,
            plan_id=tool.plan_id,
            approved_by=VERIFICATION,
            replace=True,
            why=f"{why}, with the new versions of what it calls",
        )

    def _hashes(self, tool: Tool, verdict: Verdict) -> JsonObject:
        return schema_hashes(self._parts.scopes.view(tool.scope).functions, verdict.capabilities)

    def _state_after(self, tool: Tool, verdict: Verdict) -> State:
        """Return the state before the suspicion. What no final sandbox judged is a candidate at most, and so is a first
        version that failed its trial: admission does not know better than the case that decided against it."""
        if verdict.decision is not Decision.ADMITTED:
            return State.CANDIDATE
        history = reversed(self._parts.library.history(tool.name, tool.scope))
        fell = (event.was for event in history if event.now is State.SUSPECT and event.was is not State.SUSPECT)
        former = next(fell, None) or State.CANDIDATE
        failed = any(trial.regressed or not trial.safe for trial in self._parts.trials.of(tool.version.id))
        return State.CANDIDATE if former is State.CANARY and failed else former

    def _dependents(self, tool: Tool) -> tuple[str, ...]:
        tools = self._parts.library.tools(scope=tool.scope, states=(*IN_USE, State.SUSPECT))
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
