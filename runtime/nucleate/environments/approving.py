"""Asks a person, or whoever stands in for one, before anything destructive is done."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeAlias

from nucleate.environments.wrapping import Wrapping
from nucleate_sandbox import Effect, Environment, FunctionError, FunctionSpec, Json, JsonObject

Approval: TypeAlias = Callable[[FunctionSpec, JsonObject], bool]
"""Says whether one call of a destructive function may be made."""

SETTING = "the settings"


@dataclass(frozen=True, kw_only=True)
class ApprovalDecision:
    """What was said to one destructive call, and by whom."""

    environment: str
    function: str
    arguments: JsonObject = field(default_factory=dict)
    allowed: bool
    by: str


def forget(_decision: ApprovalDecision) -> None:
    """Keep no record of a decision."""


def refuse(_spec: FunctionSpec, _arguments: JsonObject) -> bool:
    """Say no."""
    return False


class Approving(Wrapping):
    """Wraps an environment: every destructive call waits for `approve`, but for the functions in `allowed`.

    Only `True` is a yes; an approval that fails is a no. A refused call is a FunctionError of kind NotApproved. `by` is
    who approves, for the record; copies keep all of it.
    """

    def __init__(
        self,
        environment: Environment,
        approve: Approval,
        *,
        by: str = "",
        allowed: Collection[str] = (),
        record: Callable[[ApprovalDecision], None] = forget,
    ) -> None:
        super().__init__(environment)
        self._approve = approve
        self._by = by or getattr(approve, "__qualname__", type(approve).__qualname__)
        self._allowed = frozenset(allowed)
        self._record = record

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call the environment, once a destructive call has been approved."""
        spec = self._environment.functions.get(name)
        if spec is not None and spec.effect is Effect.DESTRUCTIVE:
            self._require(spec, arguments)
        return self._environment.call(name, arguments)

    def fork(self) -> Approving:
        """Return a copy that asks as this one does."""
        return Approving(
            self._environment.fork(), self._approve, by=self._by, allowed=self._allowed, record=self._record
        )

    def state(self) -> Json:
        """Return what the environment tells of its state; None where it tells nothing."""
        tell = getattr(self._environment, "state", None)
        return tell() if callable(tell) else None

    def _require(self, spec: FunctionSpec, arguments: JsonObject) -> None:
        named = spec.name in self._allowed
        allowed, reason = (True, "") if named else self._asked(spec, arguments)
        by = SETTING if named else self._by
        self._record(
            ApprovalDecision(environment=self.name, function=spec.name, arguments=arguments, allowed=allowed, by=by)
        )
        if not allowed:
            raise FunctionError(f"{spec.name} is destructive and was not approved{reason}", kind="NotApproved")

    def _asked(self, spec: FunctionSpec, arguments: JsonObject) -> tuple[bool, str]:
        try:
            return self._approve(spec, copy.deepcopy(arguments)) is True, ""
        except Exception as error:  # noqa: BLE001 - an approval that breaks is a no, whatever broke
            return False, f" ({type(error).__name__}: {error})"
