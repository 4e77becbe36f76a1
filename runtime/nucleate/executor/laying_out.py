"""What a run's first message holds of an environment: all functions in full, or those near the task and names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from nucleate.executor.showing import functions_text, sentences
from nucleate_sandbox import FunctionSpec

MOST_FULL = 40  # functions that are all shown in full
NEAR = 16  # functions near the task that are shown in full where there are more
FOUND = 8  # functions that a search shows
_REPEATED = 4  # functions that share a sentence, before it is said once for all of them

Rank = Callable[[str, Mapping[str, str]], Sequence[tuple[str, float]]]


@dataclass(frozen=True, kw_only=True)
class LaidOut:
    """The functions as text: what holds for every task of the environment, and what is near this one, or nothing."""

    stable: str
    near: str = ""


def laid_out(functions: Mapping[str, FunctionSpec], query: str, rank: Rank, *, named: Iterable[str] = ()) -> LaidOut:
    """Return the functions as a run is shown them; those that guidance names count as near."""
    if len(functions) <= MOST_FULL:
        return LaidOut(stable=full_text(functions))
    wanted = [name for name in named if name in functions]
    best = [name for name, _score in rank(query, _documents(functions))][:NEAR]
    near = dict.fromkeys([*wanted[:NEAR], *best])
    return LaidOut(stable=_names(functions), near=full_text({name: functions[name] for name in near}))


def found_text(functions: Mapping[str, FunctionSpec], query: str, rank: Rank) -> str:
    """Return the functions that fit some words best, in full."""
    best = [name for name, _score in rank(query, _documents(functions))][:FOUND]
    return full_text({name: functions[name] for name in best})


def full_text(functions: Mapping[str, FunctionSpec]) -> str:
    """Return functions in full; a sentence that many of them repeat stands once, before them."""
    counts = Counter(text for spec in functions.values() for text in dict.fromkeys(sentences(spec.doc)))
    repeated = {text for text, number in counts.items() if number >= _REPEATED and len(text) > 20}
    shorter = {
        name: replace(spec, doc=" ".join(text for text in sentences(spec.doc) if text not in repeated))
        for name, spec in functions.items()
    }
    said = " ".join(text for text in counts if text in repeated)
    return "\n\n".join(part for part in (f"Of many of them: {said}" if said else "", functions_text(shorter)) if part)


def _documents(functions: Mapping[str, FunctionSpec]) -> dict[str, str]:
    return {name: f"{name.replace('.', ' ').replace('_', ' ')} {spec.doc}" for name, spec in functions.items()}


def _names(functions: Mapping[str, FunctionSpec]) -> str:
    groups = groupby(sorted(functions), key=lambda name: name.rpartition(".")[0])
    return "\n".join(f"* env.{space}: {', '.join(name.rpartition('.')[2] for name in own)}" for space, own in groups)
