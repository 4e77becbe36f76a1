"""One round of generated calls in one world: all of them side by side, then the smallest that breaks a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nucleate_codifier.admission.bench import Bench, Benches
from nucleate_codifier.admission.draws import search
from nucleate_codifier.admission.rules import Broken, Rules
from nucleate_codifier.admission.strategies import Strategy
from nucleate_codifier.admission.worlds import World
from nucleate_sandbox import JsonObject, Outcome, canonical, parse

MAX_SHRINKS = 30
# Of so many calls two are made again, each by the bench that did not make it before.
REPEATED = 8


class _Stop(BaseException):  # Hypothesis shrinks every Exception; this one has to pass through it
    pass


@dataclass(frozen=True, kw_only=True)
class Tried:
    """One generated call that broke no rule: its arguments, its world and what came of it."""

    values: JsonObject
    world: World
    outcome: Outcome


@dataclass(kw_only=True)
class Trial:
    """The calls in one world; none is made more often than its rules ask for."""

    rules: Rules
    world: World
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    broken: dict[str, Broken] = field(default_factory=dict)
    smallest: dict[str, tuple[JsonObject, str]] = field(default_factory=dict)
    limited: bool = False
    shrinks: int = 0
    error: Exception | None = None

    def all(self, benches: Benches, values: Sequence[JsonObject]) -> None:
        """Call with every argument object; a call that hit a limit ends the rest."""
        made = benches.each(self._call, values)
        for value, outcome in zip(values, made, strict=True):
            if outcome is not None:
                self._judge(value, outcome)
        chosen = [value for index, value in enumerate(values) if index % REPEATED < len(benches.all)]
        for value, again in zip(chosen, benches.each(self._call, chosen, shift=1), strict=True):
            if again is not None and canonical(value) in self.outcomes:
                self._compare(value, again)

    def shrink(self, bench: Bench, strategy: Strategy, count: int, source: str) -> None:
        """Look for the smallest arguments that break each rule."""
        try:
            search(strategy, count, lambda values: self._one(bench, values), source=source)
        except (_Stop, Exception):  # noqa: BLE001
            # The trial holds what broke, whatever Hypothesis makes of it.
            if self.error is not None:
                raise self.error from None
        if not self.smallest:  # an outcome that changes from call to call may not show again
            self.smallest = {rule: (_values(key), reason) for key, (rule, reason) in self.broken.items()}

    def _call(self, bench: Bench, values: JsonObject) -> Outcome | None:
        if self.limited:
            return None
        outcome = bench.call(values, self.world())
        self.limited = self.limited or outcome.limit is not None
        return outcome

    def _judge(self, values: JsonObject, outcome: Outcome) -> None:
        key = canonical(values)
        self.outcomes[key] = outcome
        broken = self.rules.broken(outcome)
        if broken is not None:
            self.broken[key] = broken

    def _compare(self, values: JsonObject, again: Outcome) -> None:
        key = canonical(values)
        broken = self.rules.repeats(self.outcomes[key], again)
        if broken is not None:
            self.broken.setdefault(key, broken)

    def _one(self, bench: Bench, values: JsonObject) -> None:
        """Check one argument object; keep the smallest that breaks each rule."""
        broken = self._look_up(bench, values)
        self.shrinks += bool(self.smallest)
        if broken is not None:
            rule, reason = broken
            known = self.smallest.get(rule)
            if known is None or len(canonical(values)) < len(canonical(known[0])):
                self.smallest[rule] = (values, reason)
        if self.shrinks > MAX_SHRINKS or "limit" in self.smallest:
            raise _Stop
        assert broken is None

    def _look_up(self, bench: Bench, values: JsonObject) -> Broken | None:
        key = canonical(values)
        if key not in self.outcomes:
            try:
                self._judge(values, bench.call(values, self.world()))
                self._compare(values, bench.call(values, self.world()))
            except Exception as error:  # an outage or a time-out must not be shrunk, and not be taken for a failure
                self.error = error
                raise _Stop from error
        return self.broken.get(key)


def _values(key: str) -> JsonObject:
    values = parse(key)
    assert isinstance(values, dict)
    return values
