"""What the reflector may look at: steps, tools, memory, and the environment's functions that only read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nucleate.reflection.compact import action_of, line_of, observation_of, truncated
from nucleate.reflection.review_actions import Probe, SearchMemory, ShowStep, ShowSteps, ShowTool
from nucleate_codifier import EnvironmentView
from nucleate_codifier.model.actions import object_of
from nucleate_sandbox import Effect, Environment, FunctionError, JsonObject, SandboxError
from nucleate_text_memory import Entry, Trajectory

MOST_PROBES = 6
MOST_RANGE = 12
WIDE = 1_000
FULL = 3_000
FOUND = 6


@dataclass(frozen=True, kw_only=True)
class ReviewDesk:
    """One run under review, and the places to look. `probes` records what the environment was asked."""

    trajectory: Trajectory
    environment: EnvironmentView | None
    search: Callable[[str], Sequence[Entry]]
    tool: Callable[[str], str | None]
    probes: list[JsonObject] = field(default_factory=list)

    @property
    def reachable(self) -> bool:
        """Return whether the environment can be asked from here."""
        return self.environment is not None and self.environment.live is not None

    def look(self, action: ShowStep | ShowSteps | ShowTool | SearchMemory | Probe) -> str:
        """Return what is seen; a look that cannot be had says why."""
        match action:
            case ShowStep(step=number):
                return self._step(number)
            case ShowSteps(first=first, last=last):
                return self._steps(first, last)
            case ShowTool(name=name):
                return self._tool(name)
            case SearchMemory(query=query):
                return _entries(self.search(query))
            case Probe():
                return self._probe(action)

    def _step(self, number: int) -> str:
        if not 1 <= number <= len(self.trajectory.steps):
            return f"there is no step {number}; the run has {len(self.trajectory.steps)}"
        step = self.trajectory.steps[number - 1]
        answered = truncated(observation_of(step), FULL)
        return f"{number}. {step.function}\narguments: {truncated(action_of(step), FULL)}\nanswer: {answered}"

    def _steps(self, first: int, last: int) -> str:
        numbers = range(max(first, 1), min(last, len(self.trajectory.steps), first + MOST_RANGE - 1) + 1)
        lines = [line_of(number, self.trajectory.steps[number - 1], half=WIDE // 2) for number in numbers]
        return "\n".join(lines) or f"there are no steps {first} to {last}; the run has {len(self.trajectory.steps)}"

    def _tool(self, name: str) -> str:
        source = self.tool(name)
        return truncated(source, FULL) if source is not None else f"there is no tool {name!r}"

    def _probe(self, action: Probe) -> str:
        refusal = self._refusal(action.function)
        if refusal is not None:
            return refusal
        world = self._world()
        if world is None:
            return "the environment is not reachable from here; judge by the steps"
        arguments = object_of(action.arguments)
        try:
            answer = json.dumps(world.call(action.function, arguments), ensure_ascii=False, sort_keys=True)
        except FunctionError as error:
            answer = f"error {error.kind}: {error.message}"
        except SandboxError as outage:
            return f"the environment does not answer now ({outage}); judge by the steps"
        self.probes.append({"function": action.function, "arguments": arguments, "answer": truncated(answer, FULL)})
        return truncated(answer, FULL)

    def _refusal(self, function: str) -> str | None:
        functions = self.environment.functions if self.environment else {}
        if len(self.probes) >= MOST_PROBES:
            return f"all {MOST_PROBES} probes are used"
        if function not in functions:
            return f"the environment has no function {function!r} that is known"
        if functions[function].effect is not Effect.READ:
            return f"{function} does more than read, and a review changes nothing"
        return None

    def _world(self) -> Environment | None:
        """Return a copy of the environment where it can be copied, else itself: only reads come here."""
        live = self.environment.live if self.environment else None
        if live is None:
            return None
        try:
            return live.fork()
        except FunctionError:
            return live


def _entries(found: Sequence[Entry]) -> str:
    lines = [
        f"{entry.id} ({entry.kind}): {truncated(f'{entry.title} | {entry.body}', SHOWN)}" for entry in found[:FOUND]
    ]
    return "\n".join(lines) or "nothing like it is in memory"


SHOWN = 250
