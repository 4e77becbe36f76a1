"""One round of generated calls in one world: all of them side by side, then the smallest that breaks a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nucleate_codifier.admission.properties.rules import Broken, PropertyRules
from nucleate_codifier.admission.properties.shrinking import shrunk
from nucleate_codifier.admission.running.bench import Bench, Benches
from nucleate_codifier.admission.running.worlds import World
from nucleate_sandbox import JsonObject, Outcome, canonical, parse

MAX_SHRINKS = 30
# So many calls are made again, each by the bench that did not make it before.
MAX_REPEATED = 12


@dataclass(frozen=True, kw_only=True)
class TriedCall:
    """One generated call that broke no rule: its arguments, its world and what came of it."""

    values: JsonObject
    world: World
    outcome: Outcome


@dataclass(kw_only=True)
class PropertyTrial:
    """The calls in one world; none is made more often than its rules ask for."""

    rules: PropertyRules
    world: World
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    broken: dict[str, Broken] = field(default_factory=dict)
    limited: bool = False

    def all(self, benches: Benches, values: Sequence[JsonObject]) -> None:
        """Call with every argument object; a call that hit a limit ends the rest."""
        made = benches.each(self._call, values)
        for value, outcome in zip(values, made, strict=True):
            if outcome is not None:
                self._judge(value, outcome)
        chosen = _spread(values, len(benches.all))
        for value, again in zip(chosen, benches.each(self._call, chosen, shift=1), strict=True):
            if again is not None and canonical(value) in self.outcomes:
                self._compare(value, again)

    def shrink(self, bench: Bench, fits: Callable[[JsonObject], bool]) -> dict[str, tuple[JsonObject, str]]:
        """Return for each broken rule the simplest arguments found that break it, and what happened."""
        first: dict[str, str] = {}
        for key, (rule, _) in sorted(self.broken.items(), key=lambda item: (len(item[0]), item[0])):
            first.setdefault(rule, key)
        return {rule: self._smallest(bench, fits, rule, key) for rule, key in first.items()}

    def _smallest(
        self, bench: Bench, fits: Callable[[JsonObject], bool], rule: str, key: str
    ) -> tuple[JsonObject, str]:
        def still(values: JsonObject) -> bool:
            return fits(values) and self._breaks(bench, values, rule)

        tries = 0 if rule == "limit" else MAX_SHRINKS  # each of those would take until the limit again
        values = shrunk(_values(key), still, tries=tries)
        return values, self.broken[canonical(values)][1]

    def _breaks(self, bench: Bench, values: JsonObject, rule: str) -> bool:
        key = canonical(values)
        if key not in self.outcomes:
            self._judge(values, bench.call(values, self.world()))
            if rule == "not-deterministic":
                self._compare(values, bench.call(values, self.world()))
        return key in self.broken and self.broken[key][0] == rule

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


def _spread(values: Sequence[JsonObject], row: int) -> list[JsonObject]:
    """Return whole rows of values, so that each keeps its place among the benches."""
    step = max(1, -(-len(values) // MAX_REPEATED))
    return [value for index, value in enumerate(values) if index // row % step == 0]


def _values(key: str) -> JsonObject:
    values = parse(key)
    assert isinstance(values, dict)
    return values
