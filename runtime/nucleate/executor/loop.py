"""The loop of a run: ask, act, observe, until the model finishes or a budget is used up (Metis §3.1, step 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from nucleate.executor import run_events as events
from nucleate.executor.actions import Action, CodeAction, read_action
from nucleate.executor.bridge_steps import calls_text, steps_of
from nucleate.executor.budgets import Budgets, RunEnding
from nucleate.executor.clock import Clock, pause
from nucleate.executor.compaction import compacted
from nucleate.executor.meter import Meter
from nucleate.executor.observations import observed
from nucleate.executor.prompting import render
from nucleate.executor.scope import SessionScope
from nucleate.executor.shortening import shortened
from nucleate.executor.workbench import Workbench
from nucleate.models.bounded_wait import apart
from nucleate.models.model_errors import ModelUnusable
from nucleate_codifier.chat import ChatModel, CostCapReached, Malformed, Message, ModelUnavailable, Reply, Role
from nucleate_sandbox import Outcome, SandboxError, canonical
from nucleate_text_memory import Step
from nucleate_text_memory.retrieval.words import estimate_tokens

_KEPT = 1_000  # characters of a block that are kept with a run
TRIES = 3  # replies in a row that may be unreadable


class RunStopped(Exception):
    """The run is over."""

    def __init__(self, ending: RunEnding, error: str) -> None:
        super().__init__(error)
        self.ending = ending
        self.error = error


@dataclass(frozen=True, kw_only=True)
class LoopServices:
    """What a loop works with."""

    model: ChatModel
    scope: SessionScope
    bench: Workbench
    budgets: Budgets
    record: Callable[[Sequence[Step]], None]
    listen: events.RunListener = events.ignore
    clock: Clock = field(default_factory=Clock)
    offers: Callable[[Sequence[Step]], str] = lambda _steps: ""
    before: Sequence[Reply] = ()  # what was asked of the model for this run already


class Loop:
    """One run. Messages only grow, so that a provider can cache what stands in front."""

    def __init__(self, gear: LoopServices, opening: Sequence[Message]) -> None:
        self._gear = gear
        self._messages = list(opening)
        self._outages = 0
        self._made: list[Step] = []
        self.blocks: list[str] = []  # what the model said and wrote, in short
        self.tokens: dict[str, int] = {"replies": 0, "observations": 0}
        self.meter = Meter(gear.budgets, gear.clock)
        for reply in gear.before:
            self.meter.reply(reply, seconds=0.0)

    def run(self) -> RunStopped:
        """Return how it ended."""
        try:
            while True:
                self._step()
        except RunStopped as stop:
            return stop
        finally:
            self._gear.bench.close()

    def _step(self) -> None:
        action = self._next_action()
        number = self.meter.spent.steps + 1
        self.blocks.append(_in_short(action))
        self._gear.listen(events.Acting(number=number, action=action, spent=self.meter.spent))
        observation, steps = self._act(action)
        self._gear.listen(events.Observed(number=number, observation=observation, steps=steps, spent=self.meter.spent))
        if self._gear.scope.finished is not None:
            raise RunStopped(RunEnding.FINISHED, "")
        self._tell(_only_first(action) + observation + self._gear.offers(steps))

    def _next_action(self) -> Action:
        """Ask until a reply can be read; each fault is told, and the third one in a row ends the run."""
        for tried in count(1):
            try:
                return read_action(self._ask())
            except Malformed as fault:
                if tried == TRIES:
                    raise RunStopped(RunEnding.MALFORMED, self._unreadable(fault)) from fault
                self._gear.listen(events.Corrected(problem=str(fault), spent=self.meter.spent))
                self._tell(render("malformed", problem=str(fault)))
        raise AssertionError("there is always another try, or an end")

    def _unreadable(self, fault: Malformed) -> str:
        """Return why a run ends, and what it did until then: the work stays done."""
        made = Counter(step.function for step in self._made if step.error is None)
        done = ", ".join(name if times == 1 else f"{name} ({times} times)" for name, times in made.items())
        return f"{TRIES} replies in a row could not be read: {fault}" + (f"; done until then: {done}" if done else "")

    def _ask(self) -> Reply:
        self._check()
        self._gear.listen(events.ModelAsked(number=self.meter.spent.steps + 1))
        began = self._gear.clock.now()
        reply = self._reply()
        self.meter.reply(reply, seconds=self._gear.clock.now() - began)
        self._count("replies", reply.text)
        # Providers refuse an empty message in the middle of a conversation.
        self._messages.append(Message(role=Role.ASSISTANT, content=reply.text or "(nothing)"))
        return reply

    def _reply(self) -> Reply:
        attempt = 0
        while True:
            try:
                return self._asked()
            except ModelUnavailable as error:
                self._wait("model", error, attempt)
                attempt += 1

    def _asked(self) -> Reply:
        self._messages = compacted(self._messages)
        messages = tuple(self._messages)
        try:
            return apart(lambda: self._gear.model.complete(messages), seconds=self.meter.seconds_left)
        except TimeoutError as error:
            # A model that never said a word is out of order; one that is slow has used up its time.
            silent = all(message.role is not Role.ASSISTANT for message in messages)
            ending = RunEnding.OUTAGE if silent else RunEnding.TIME
            raise RunStopped(ending, f"{self.meter.words(RunEnding.TIME)}, waiting for the model") from error
        except CostCapReached as cap:
            raise RunStopped(RunEnding.COST, str(cap)) from cap
        except ModelUnusable as error:  # a wrong name or key: no waiting makes it right
            raise RunStopped(RunEnding.OUTAGE, str(error)) from error

    def _act(self, action: Action) -> tuple[str, tuple[Step, ...]]:
        """Carry an action out. One that an outage interrupts is no step, and is repeated where it did nothing yet."""
        while True:
            fresh = not self._gear.bench.used
            self._gear.scope.begin()
            try:
                return self._done(self._gear.bench.do(action))
            except SandboxError as error:
                self._restore(error)
                made = self._gear.scope.made
                if made or not fresh:
                    steps = self._recorded(steps_of(self._gear.scope, made))
                    return render("lost", calls=calls_text(made)), steps

    def _done(self, outcome: Outcome) -> tuple[str, tuple[Step, ...]]:
        scope = self._gear.scope
        steps = self._recorded(steps_of(scope, outcome.calls))
        if scope.outage is not None and scope.finished is None:
            self._wait("sandbox", scope.outage, self._outages)
            self._outages += 1
        else:
            self._outages = 0
            self.meter.step()
        return observed(outcome, blocks=self._gear.bench.blocks), steps

    def _restore(self, error: SandboxError) -> None:
        """Wait until a session can be opened again."""
        while True:
            self._wait("sandbox", error, self._outages)
            self._outages += 1
            try:
                self._gear.bench.open()
                return
            except SandboxError as again:
                error = again

    def _wait(self, what: str, error: Exception, attempt: int) -> None:
        seconds = pause(attempt)
        if seconds >= self.meter.seconds_left:
            raise RunStopped(RunEnding.OUTAGE, f"the {what} is out of order: {error}") from error
        self._gear.listen(events.Retrying(what=what, error=str(error), seconds=seconds))
        self._gear.clock.sleep(seconds)

    def _recorded(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        self._made += steps
        self._gear.record(steps)
        return steps

    def _count(self, part: str, text: str) -> None:
        self.tokens[part] += estimate_tokens(text)

    def _check(self) -> None:
        ending = self.meter.over()
        if ending is not None:
            raise RunStopped(ending, self.meter.words(ending))

    def _tell(self, text: str) -> None:
        self._count("observations", text)
        self._messages.append(Message(role=Role.USER, content=text))


def _in_short(action: Action) -> str:
    written = action.code.strip() if isinstance(action, CodeAction) else f"{action.name}({canonical(action.arguments)})"
    return shortened(f"{action.thought}\n{written}".strip(), _KEPT)


def _only_first(action: Action) -> str:
    """Say what of a reply was not carried out: else a model takes it for done."""
    return render("first_only", ignored="; ".join(action.ignored)) + "\n\n" if action.ignored else ""
