"""What kills a mutant: an example that comes out otherwise, a broken property, or the candidate's own tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.admission.mutation.mutants import Mutant
from nucleate_codifier.admission.properties.rules import PropertyRules
from nucleate_codifier.admission.properties.trial import TriedCall
from nucleate_codifier.admission.running.bench import Bench, Unsupported
from nucleate_codifier.admission.running.compare import shown, told_apart
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.running.grounds import run
from nucleate_sandbox import Module

MAX_TRIED = 16


@dataclass(frozen=True, kw_only=True)
class Fate:
    """What became of a mutant. `witness` says of one that lives which arguments would have told it apart."""

    mutant: Mutant
    killed: bool
    witness: str = ""


@dataclass(frozen=True, kw_only=True)
class Suite:
    """The runs that the tool does again, and what it does in them; the generated calls in which it broke no rule."""

    rules: PropertyRules
    met: Sequence[Ran]
    tried: Sequence[TriedCall]

    def fate(self, bench: Bench, mutant: Mutant) -> Fate | None:
        """Put a mutant through the suite until something kills it; None where the sandbox cannot run it."""
        module = variant(bench, mutant)
        try:
            killed = any(told_apart(item.outcome, run(bench, item.ground, module=module)) for item in self.met)
            return Fate(mutant=mutant, killed=True) if killed else self._generated(bench, mutant, module)
        except Unsupported:
            return None  # the change made something that this sandbox lacks: it says nothing about the suite

    def _generated(self, bench: Bench, mutant: Mutant, module: Module) -> Fate:
        witness = ""
        for call in self._telling():
            outcome = bench.call(call.values, call.world(), module=module)
            apart = told_apart(call.outcome, outcome)
            if apart is not None and self.rules.broken(outcome) is not None:
                return Fate(mutant=mutant, killed=True)
            witness = witness or (f"with {shown(call.values)}: {apart}" if apart is not None else "")
        return Fate(mutant=mutant, killed=False, witness=witness)

    def _telling(self) -> list[TriedCall]:
        """Calls that got far come first; those that ended at the first refusal show little."""
        return sorted(self.tried, key=_answers, reverse=True)[:MAX_TRIED]


def _answers(call: TriedCall) -> int:
    return sum(made.error is None for made in call.outcome.calls)


def variant(bench: Bench, mutant: Mutant) -> Module:
    """Return the candidate's module with the mutant's source."""
    return replace(bench.module, source=mutant.source)
