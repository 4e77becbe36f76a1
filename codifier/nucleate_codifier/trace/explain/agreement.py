"""What the runs of a plan agree on: compiled from most of them, where a few do something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.entities import Entities
from nucleate_codifier.trace.align.runs import groups_of, open_runs, split
from nucleate_codifier.trace.explain.compilation import Compilation, Compiled
from nucleate_codifier.trace.explain.inference import Inference
from nucleate_codifier.trace.explain.whole_lists import reading_all
from nucleate_codifier.trace.refusals import Refused
from nucleate_sandbox import Effect, FunctionSpec
from nucleate_text_memory import Occurrence

FEWEST = 3
MOST_TRIED = 6
MOST_ROUNDS = 3
_READ_SOME = frozenset({"trace/no-common-source", "trace/no-common-loop", "trace/only-one-element"})


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """What was compiled, the runs that it was compiled from, and those that it has yet to be judged by."""

    compiled: Compiled
    seen: Sequence[Occurrence]
    held_out: Sequence[Occurrence]


def agree(
    signature: Sequence[str],
    runs: Sequence[Occurrence],
    functions: Mapping[str, FunctionSpec],
    entities: Entities,
) -> Agreement:
    """Compile from all kinds of runs, else from those that remain when a few that do something else are left out.

    Where runs read one or the other element of a list, those count that read all of it: a tool that reads them all
    changes nothing more. Left out are the runs that repeat a call over no list, if at most half do, or any one run,
    which then counts among the held-out ones.
    """
    for position, name in enumerate(signature):
        again = functions[name].effect is Effect.READ if name in functions else False
        whole = reading_all(runs, position) if again else []
        if len(set(groups_of(whole))) >= max(FEWEST, len(set(groups_of(runs))) / 2):
            runs = whole
    return _agree(signature, runs, functions, entities, MOST_ROUNDS)


def _agree(
    signature: Sequence[str],
    runs: Sequence[Occurrence],
    functions: Mapping[str, FunctionSpec],
    entities: Entities,
    rounds: int,
) -> Agreement:
    seen, held_out = split(runs)
    try:
        return _agreement(signature, seen, held_out, functions, entities)
    except Refused as refusal:
        whole = _reading_all(refusal, runs, signature, functions) if rounds else []
        if whole:
            return _agree(signature, whole, functions, entities, rounds - 1)
        for fewer, judged in _without_a_few(refusal, runs, seen, held_out):
            if not fewer:
                continue  # all that was seen is held against it: nothing is left to learn from
            try:
                return _agreement(signature, fewer, judged, functions, entities)
            except Refused:
                continue
        raise


def _reading_all(
    refusal: Refused, runs: Sequence[Occurrence], signature: Sequence[str], functions: Mapping[str, FunctionSpec]
) -> list[Occurrence]:
    """Return the runs that read all of a list, where a read was refused because runs read one or the other of it."""
    reads = strongest([signature[refusal.position]], functions) is Effect.READ
    found = reading_all(runs, refusal.position) if reads and refusal.finding.rule in _READ_SOME else []
    enough = len(set(groups_of(found))) >= FEWEST and len(found) < len(runs)
    return found if enough else []


def _without_a_few(
    refusal: Refused, runs: Sequence[Occurrence], seen: Sequence[Occurrence], held_out: Sequence[Occurrence]
) -> Iterator[tuple[Sequence[Occurrence], Sequence[Occurrence]]]:
    if refusal.finding.rule == "trace/no-common-loop":
        plain = [run for run in runs if len(run.groups[refusal.position]) == 1]
        if len(plain) >= max(FEWEST, len(runs) / 2):
            yield split(plain)
    if refusal.finding.rule == "trace/no-common-source" and len(seen) > FEWEST:
        for odd in seen[:MOST_TRIED]:
            yield [run for run in seen if run is not odd], [*held_out, odd]


def _agreement(
    signature: Sequence[str],
    seen: Sequence[Occurrence],
    held_out: Sequence[Occurrence],
    functions: Mapping[str, FunctionSpec],
    entities: Entities,
) -> Agreement:
    compilation = Compilation(
        functions=functions,
        alone=len(signature) == 1,
        inference=Inference(runs=open_runs(seen), effect=strongest(signature, functions), entities=entities),
    )
    for position, function in enumerate(signature):
        try:
            compilation.add(position, function)
        except Refused as refusal:
            raise Refused(refusal.finding, position=position) from refusal
    return Agreement(compiled=compilation.done(), seen=seen, held_out=held_out)


def strongest(signature: Sequence[str], functions: Mapping[str, FunctionSpec]) -> Effect:
    """Return the strongest effect of these functions: a choice in a read matters to the write that follows it."""
    effects = {functions[name].effect for name in signature if name in functions}
    return next((effect for effect in (Effect.DESTRUCTIVE, Effect.WRITE) if effect in effects), Effect.READ)
