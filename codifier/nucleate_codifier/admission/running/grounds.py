"""Where a recorded run is done again: on a fork of the live environment that answers as then, or on the recording.

Reading is free where the environment can be asked: there a run is the same when it returns the same and leaves the same
behind. A recording answers what was recorded and nothing else, so there the reads have to be those of the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.running.bench import Bench
from nucleate_codifier.admission.running.compare import reads_difference, result_difference, same, writes_difference
from nucleate_codifier.admission.running.differences import describe
from nucleate_codifier.admission.running.worlds import Stateful, World, live, recording
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Example
from nucleate_sandbox import Environment, FunctionError, FunctionSpec, Json, Module, Outcome


@dataclass(frozen=True, kw_only=True)
class Ground:
    """One recorded run, and the world in which it began. `left` is the state after it, where that can be told."""

    example: Example
    functions: Mapping[str, FunctionSpec]
    world: World
    live: bool = False
    left: Json = None


@dataclass(frozen=True, kw_only=True)
class Redone:
    """A run done again: what the tool did, and how effects, result and the state after it differ, if they do."""

    outcome: Outcome
    effects: str | None = None
    result: str | None = None
    state: str | None = None

    @property
    def reason(self) -> str | None:
        """Return the first of the differences."""
        return self.effects or self.result or self.state


def grounds(subject: Subject, examples: Sequence[Example]) -> tuple[Ground, ...]:
    """Return where each of these runs can be done again."""
    forks = live(subject)
    return tuple(_ground(subject, example, forks) for example in examples)


def recorded_ground(subject: Subject, example: Example) -> Ground:
    """Return the ground on which the run's own recording answers."""
    functions = subject.environment.functions
    return Ground(example=example, functions=functions, world=lambda: recording(subject, [example]))


def run(bench: Bench, ground: Ground, *, module: Module | None = None, world: Environment | None = None) -> Outcome:
    """Call the candidate (or a variant) with a run's arguments, where the run began unless told otherwise."""
    return bench.call(ground.example.arguments, world or ground.world(), module=module)


def do_again(bench: Bench, ground: Ground) -> Redone:
    """Do a run with the candidate, and compare it with what was recorded."""
    world = ground.world()
    outcome = run(bench, ground, world=world)
    effects = effects_difference(ground, outcome)
    strayed = effects is not None and not outcome.ok
    result = None if strayed else result_difference(outcome, ground.example)  # nothing could answer any more
    state = None if effects or result or ground.left is None else describe(ground.left, state_of(world)) or None
    left = f"what it leaves behind differs: {state}" if state else None
    return Redone(outcome=outcome, effects=effects, result=result, state=left)


def effects_difference(ground: Ground, outcome: Outcome) -> str | None:
    """Compare writes in exact order; on a recording also reads, in any order."""
    made, recorded = outcome.calls, ground.example.calls
    difference = writes_difference(made, recorded, ground.functions)
    return difference if difference or ground.live else reads_difference(made, recorded, ground.functions)


def state_of(world: Environment) -> Json:
    """Return what an environment tells of its state; None where it cannot."""
    return world.state() if isinstance(world, Stateful) else None


def _ground(subject: Subject, example: Example, forks: World | None) -> Ground:
    by_hand = _by_hand(example, forks) if forks is not None else None
    if forks is None or by_hand is None:
        return recorded_ground(subject, example)
    functions = subject.environment.functions
    return Ground(example=example, functions=functions, world=forks, live=True, left=state_of(by_hand))


def _by_hand(example: Example, forks: World) -> Environment | None:
    """Make the recorded calls on a fork; None where it answers otherwise, since it then stands somewhere else."""
    world = forks()
    for call in example.calls:
        try:
            result, kind = world.call(call.function, call.arguments), None
        except FunctionError as error:
            result, kind = None, error.kind
        if not same(result, call.result) or kind != (call.error.kind if call.error is not None else None):
            return None
    return world
