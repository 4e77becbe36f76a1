"""The place where a gate calls a candidate: one open session, and a world of the gate's choice for each call."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from nucleate_codifier.admission.reading.references import capabilities_of
from nucleate_codifier.admission.running.modules import lock_of, module_of
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Gate
from nucleate_sandbox import (
    Environment,
    Failure,
    FunctionError,
    Functions,
    FunctionSpec,
    Json,
    JsonObject,
    Limits,
    Module,
    Outcome,
    TestReport,
)

# Tighter than the executor's: a tool that needs five seconds on recorded answers is not a tool.
LIMITS = Limits(wall_seconds=5.0, cpu_seconds=5.0, bridge_calls=500)


# One process for each: what depends on the order of a set comes out in another way in each of them. The first is the
# one with which tools are served, so that none can tell by its hashes that it is only being tested.
HASH_SEEDS = (Limits().hash_seed, 2, 3)

Item = TypeVar("Item")
Result = TypeVar("Result")


class GateTimeout(Exception):
    """The gate's seconds are used up."""


class Unsupported(Exception):
    """The sandbox lacks a construct that the candidate uses; another sandbox may know it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.kind}: {failure.message}")


class Stage:
    """An environment that forwards to whichever environment is on: worlds change without a new session."""

    def __init__(self, name: str, functions: Mapping[str, FunctionSpec]) -> None:
        self._name = name
        self._functions = functions
        self._world: Environment | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def show(self, world: Environment | None) -> None:
        """Let this environment answer from now on."""
        self._world = world

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Forward the call; raise FunctionError where no environment is on."""
        if self._world is None:
            raise FunctionError(f"{name} was called where nothing may be called", kind="NoEnvironment")
        return self._world.call(name, arguments)

    def fork(self) -> Environment:
        """Fork the environment that is on."""
        if self._world is None:
            raise FunctionError("no environment is on that could be forked", kind="NoEnvironment")
        return self._world.fork()


class Bench:
    """A context manager: the candidate runs in a fresh sandboxed process per call, the judge stays on the host.

    `until` is another bench's deadline, where a gate has several.
    """

    def __init__(
        self, subject: Subject, gate: Gate, *, limits: Limits = LIMITS, until: float | None = None, number: int = 0
    ) -> None:
        self.module = module_of(subject)
        self._name = subject.candidate.name
        self.deadline = time.monotonic() + subject.policy.seconds(gate) if until is None else until
        self._stage = Stage(subject.environment.name, subject.environment.functions)
        allowed = Functions.only(self._stage, capabilities_of(subject))
        self._session = subject.sandbox.open(
            functions=allowed, limits=replace(limits, hash_seed=HASH_SEEDS[number]), packages=lock_of(subject)
        )

    def call(self, arguments: JsonObject, world: Environment | None, *, module: Module | None = None) -> Outcome:
        """Call the candidate (or a variant of it) in this world; raise GateTimeout, Unsupported or SandboxError."""
        self._check_time()
        self._stage.show(world)
        outcome = self._session.call(module or self.module, self._name, arguments)
        if outcome.failure is not None and outcome.failure.unsupported:
            raise Unsupported(outcome.failure)
        return outcome

    def test(self, tests: Mapping[str, str], world: Environment | None, *, module: Module | None = None) -> TestReport:
        """Run the candidate's own test files against it (or a variant of it) in this world."""
        self._check_time()
        self._stage.show(world)
        report = self._session.test(module or self.module, tests)
        if report.failure is not None and report.failure.unsupported:
            raise Unsupported(report.failure)
        return report

    def _check_time(self) -> None:
        if time.monotonic() > self.deadline:
            raise GateTimeout

    def __enter__(self) -> Self:
        self._session.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.__exit__(kind, error, trace)


class Benches:
    """Several benches for one gate, each with a session of its own, so that calls can run side by side."""

    def __init__(self, subject: Subject, gate: Gate, *, limits: Limits = LIMITS, until: float | None = None) -> None:
        deadline = time.monotonic() + subject.policy.seconds(gate) if until is None else until
        self.all = tuple(Bench(subject, gate, limits=limits, until=deadline, number=k) for k in range(len(HASH_SEEDS)))
        self._stack = ExitStack()

    @property
    def first(self) -> Bench:
        """The bench for whatever has to be done in order."""
        return self.all[0]

    def each(self, work: Callable[[Bench, Item], Result], items: Sequence[Item], *, shift: int = 0) -> list[Result]:
        """Return what the work makes of each item, in order; its place and the shift alone decide on its bench."""
        count = len(self.all)
        with ThreadPoolExecutor(count, thread_name_prefix="bench") as pool:
            hands = [items[(number - shift) % count :: count] for number in range(count)]
            piles = [iter(pile) for pile in pool.map(_work_through, [work] * count, self.all, hands)]
        return [next(piles[(index + shift) % count]) for index in range(len(items))]

    def __enter__(self) -> Self:
        for bench in self.all:
            self._stack.enter_context(bench)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


def _work_through(work: Callable[[Bench, Item], Result], bench: Bench, items: Sequence[Item]) -> list[Result]:
    return [work(bench, item) for item in items]
