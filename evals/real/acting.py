"""Two policies act on held-out runs: a careful agent, and one that does whatever is offered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.heldout import Stateful
from evals.real.binding import Bound, bindings, candidates, listed, required
from evals.real.environments import ChildEnvironment
from evals.real.knowing import Story, blob, holds, known_now, leaves
from evals.real.runs import Action, Run, cleaned, step
from nucleate_sandbox import FunctionError, Json, JsonObject, Outcome
from nucleate_text_memory import Step
from nucleate_text_memory.retrieval.words import estimate_tokens
from nucleate_tool_library import ToolVersion

Call = Callable[[ToolVersion, JsonObject, Stateful], Outcome]
OffersAt = Callable[[Sequence[str], Sequence[str]], Sequence[ToolVersion]]


@dataclass(kw_only=True)
class Careful:
    """What the careful agent did: calls in all, calls of tools, the calls of the run that tools could have made."""

    calls: int = 0
    tokens: int = 0
    tool_calls: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)
    offered_before: dict[int, set[str]] = field(default_factory=dict)


class CarefulAgent:
    """Calls an offered tool when its arguments are known and its writes are wanted; does the rest as the run did."""

    def __init__(self, run: Run, environment: Stateful, *, offers: OffersAt, call: Call) -> None:
        self.run = cleaned(run)
        self.story = Story(self.run)
        self.steps = [step(action, run.scope) for action in self.run.actions]
        self._environment = environment
        self._offers = offers
        self._call = call
        self._left = list(range(len(self.steps)))
        self._hidden: dict[int, str] = {}
        self._answers: list[str] = []
        self._failed: set[tuple[str, str]] = set()
        self.did = Careful()

    def act(self) -> Careful:
        """Act to the end of the run."""
        while self._left:
            at = self._left[0]
            tools = self._offers(self.story.said(at), self._answers)
            self.did.offered |= {tool.name for tool in tools}
            self.did.offered_before[at] = set(self.did.offered)
            ways = [way for tool in tools for way in self._ways(tool, at)]
            for way in ways:
                self.did.covered |= set(way.calls)
            best = max(ways, key=lambda way: len(way.calls), default=None)
            if best is None or len(best.calls) < 2 or not self._use(best):
                self._do(at)
        return self.did

    def _ways(self, tool: ToolVersion, at: int) -> list[Bound]:
        seen = [*self.story.said(at), *self._answers]
        free = listed(tool)
        return [
            way
            for way in bindings(tool, self.steps, self._left)
            if (tool.name, str(way.arguments)) not in self._failed
            and known_now(way.arguments, story=self.story, position=at, seen=seen, free=free)
        ]

    def _use(self, way: Bound) -> bool:
        outcome = self._call(way.tool, way.arguments, self._environment)
        self.did.calls += 1
        if outcome.failure is not None or outcome.limit is not None:
            self._failed.add((way.tool.name, str(way.arguments)))
            reason = outcome.failure.message if outcome.failure else str(outcome.limit)
            self.did.failures.append(f"{way.tool.name}: {reason}"[:300])
            return False
        self.did.tool_calls.append(way.tool.name)
        self._hear(outcome.value)
        for call in way.calls:
            self._left.remove(call)
            self._hidden[call] = self.story.answers[call]
        return True

    def _do(self, at: int) -> None:
        self._reread(self.steps[at])
        self._left.remove(at)
        self.did.calls += 1
        self._hear(self._made(self.run.actions[at]))

    def _made(self, action: Action) -> Json:
        try:
            return self._environment.call(f"{self.run.scope}.{action.function}", action.arguments)
        except FunctionError:
            return action.result

    def _reread(self, wanted: Step) -> None:
        """Make a call after all that a tool had hidden, where the next call needs a value of its answer."""
        for value in leaves(wanted.arguments):
            if any(holds(text, value) for text in (*self.story.turns, *self._answers)):
                continue
            inside = [call for call, text in self._hidden.items() if holds(text, value)]
            if inside:
                self.did.calls += 1
                self._answers.append(self._hidden.pop(inside[0]))

    def _hear(self, value: Json) -> None:
        self._answers.append(blob(value))
        self.did.tokens += estimate_tokens(self._answers[-1])


@dataclass(frozen=True, kw_only=True)
class Harm:
    """What the obedient agent left: places that no successful run leaves so, tools called, whether the task is lost."""

    places: tuple[str, ...]
    called: tuple[str, ...]
    lost: bool


def obedient(run: Run, environment: Stateful, *, good: Sequence[dict[str, Any]], offers: OffersAt, call: Call) -> Harm:
    """Do what the run did, but call the top offered tool whenever its arguments are known.

    They are known where the run's own next call gives the argument that a parameter feeds a value that was said or
    answered. `good` are the states in which successful runs of the task end.
    """
    agent = _Obedient(run, environment, offers, call)
    called = agent.act()
    state = frozen(environment)
    fine = {place for one in good for place in one.items()}
    wrong = tuple(sorted(place for place, value in state.items() if (place, value) not in fine))
    return Harm(places=wrong, called=tuple(called), lost=bool(called) and state not in list(good))


class _Obedient:
    def __init__(self, run: Run, environment: Stateful, offers: OffersAt, call: Call) -> None:
        self.run, self.story, self.environment, self.offers, self.call = run, Story(run), environment, offers, call
        self.steps = [step(action, run.scope) for action in run.actions]
        self.answers: list[str] = []
        self.done: set[tuple[str, str]] = set()

    def act(self) -> list[str]:
        called: list[str] = []
        for at, action in enumerate(self.run.actions):
            said = self.story.said(at)
            tools = self.offers(said, self.answers)
            if tools:
                arguments = self._known(tools[0], at, [*said, *self.answers])
                if arguments is not None and (tools[0].name, str(arguments)) not in self.done:
                    self.done.add((tools[0].name, str(arguments)))
                    outcome = self.call(tools[0], arguments, self.environment)
                    called.append(tools[0].name)
                    self.answers.append(blob(outcome.value if outcome.failure is None else outcome.failure.message))
            self._do(action)
        return called

    def _known(self, tool: ToolVersion, at: int, seen: Sequence[str]) -> JsonObject | None:
        rest = [i for i in range(at, len(self.steps)) if self.steps[i].error is None]
        found = candidates(tool, self.steps, rest)
        needed = required(tool)
        if not set(needed) <= set(found):
            return None
        known = {
            name: value
            for name, value in found.items()
            if known_now({name: value}, story=self.story, position=at, seen=seen, free=listed(tool))
        }
        return known if set(needed) <= set(known) else None

    def _do(self, action: Action) -> None:
        try:
            self.answers.append(blob(perform(self.environment, self.run.scope, action)))
        except FunctionError as error:
            self.answers.append(blob(error.message))


def perform(environment: Stateful, scope: str, action: Action) -> Json:
    """Make a run's call, or the user's own, in an environment."""
    if action.mine:
        return environment.call(f"{scope}.{action.function}", action.arguments)
    if isinstance(environment, ChildEnvironment) and scope == "telecom":
        return environment.act(action.function, action.arguments)
    return None


def ended(run: Run, environment: Stateful) -> dict[str, Any]:
    """Return the state in which a run ends, place → value."""
    for action in run.actions:
        try:
            perform(environment, run.scope, action)
        except FunctionError:
            continue
    return frozen(environment)


def frozen(environment: Stateful) -> dict[str, Any]:
    """Return place → value of what changed, values that can be compared and hashed."""
    state = environment.state()
    assert isinstance(state, dict)
    return {place: value if isinstance(value, Hashable) else repr(value) for place, value in state.items()}
