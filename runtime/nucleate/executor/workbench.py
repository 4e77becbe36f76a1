"""Carries out one action: a block in the session, or one call over a bridge of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nucleate import telemetry
from nucleate.executor.actions import Action, CallAction
from nucleate.executor.prelude import may_take, prelude
from nucleate.executor.scope import FINISH, RECALL, SEARCH, SessionScope
from nucleate_sandbox import Functions, Limits, Outcome, Sandbox, SandboxError, Session
from nucleate_sandbox.bridge import Bridge


@dataclass(frozen=True, kw_only=True)
class WorkPlace:
    """Where actions are carried out: the sandbox, what may be called there, and the bounds of one action."""

    sandbox: Callable[[], Sandbox]
    scope: SessionScope
    limits: Limits


class Workbench:
    """Holds the session of one run; opened by the first block, and again after it was lost."""

    def __init__(self, place: WorkPlace) -> None:
        self._place = place
        self._functions = Functions.of(place.scope)
        signatures = [tool.version.signature for tool in place.scope.tools]
        self._prelude = prelude(signatures, searching=place.scope.searches)
        self._names = {"env", FINISH, RECALL, SEARCH, *(signature.name for signature in signatures)}
        self._clean = False  # whether our names are in the session as we put them there
        self._session: Session | None = None
        self.used = False
        self._runs = 0  # of the session's process, ours among them
        self.blocks: dict[int, int] = {}  # which run was which of the model's blocks, both counted from 1
        self._given = 0
        self._fresh = False  # whether the process ended with the last block

    def do(self, action: Action) -> Outcome:
        """Return what the action did; SandboxError is an outage, after which the session is gone."""
        self._given += 1
        if isinstance(action, CallAction):
            return self._call(action)
        try:
            return self._run(action.code)
        except SandboxError:
            self.close()
            raise

    def open(self) -> Session:
        """Return the session, with our names in it as if nothing had touched them."""
        session = self._session = self._session or self._place.sandbox().open(
            functions=self._functions, limits=self._place.limits
        )
        if self._clean:
            return session
        self._runs += 1
        outcome = session.run(self._prelude)
        if not outcome.ok and self.used:
            self.close()  # what the blocks before left behind does not even let a function be defined
            return self.open()
        if not outcome.ok:
            raise SandboxError(f"the session does not take our names: {outcome.failure}; report this as a bug")
        self._clean = True
        return session

    def close(self) -> None:
        """End the session; the next block begins with a fresh one."""
        session, self._session, self.used, self._clean = self._session, None, False, False
        self._runs, self.blocks = 0, {}
        if session is not None:
            session.close()

    def _run(self, code: str) -> Outcome:
        session = self.open()
        self.used, self._clean = True, False
        if self._fresh:
            self._runs, self.blocks, self._fresh = 1, {}, False
        self._runs += 1
        self.blocks[self._runs] = self._given
        outcome = session.run(code)
        self._fresh = outcome.error is not None
        # After a failure the namespace may be another: a limit or an exit begins a fresh one.
        self._clean = outcome.ok and not may_take(code, self._names)
        return outcome

    def _call(self, action: CallAction) -> Outcome:
        name = self._place.scope.full_name(action.name)
        with telemetry.span("execute_tool", {telemetry.TOOL: action.name, telemetry.TOOL_TYPE: "function"}) as noted:
            bridge = Bridge(self._functions, self._place.limits)
            call = bridge.call(name, action.arguments)
            if bridge.outage is not None:
                raise bridge.outage
            if call.error is not None:
                noted.failed(call.error.kind)
        return Outcome(value=call.result, failure=call.error, calls=(call,))
