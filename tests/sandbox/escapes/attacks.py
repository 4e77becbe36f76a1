"""The ways in which a program of the corpus uses a sandbox: a call, blocks in several sessions, a suite."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from nucleate_sandbox import Functions, Json, Limits, Module, Outcome, TestReport
from tests.sandbox.escapes.case import QUICK, Ending, Expect, Ground, Program, program
from tests.sandbox.escapes.world import MANIFEST, World

RAISED = re.compile(r"^E\s+([\w.]+)(?::|$)", re.MULTILINE)
LAST = re.compile(r"^(?:[\w.]+:\d+: )?([\w.]+)(?::.*)?\s*\Z", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Call:
    """Call `tool()` in a fresh process, with no policy before it."""

    source: str
    limits: Limits = QUICK
    name: str = "tool"
    dependencies: tuple[Module, ...] = ()

    def on(self, ground: Ground) -> Ending:
        module = Module(name=self.name, source=self.source, dependencies=self.dependencies)
        with ground.sandbox.open(limits=self.limits) as session:
            return ending(session.call(module, "tool", {}))


@dataclass(frozen=True, kw_only=True)
class Bridged:
    """Call `tool()` where a manifest allows some functions of an environment that keeps account of its deeds."""

    source: str
    limits: Limits = QUICK

    def on(self, ground: Ground) -> Ending:
        world = World()
        with ground.sandbox.open(functions=Functions.only(world, MANIFEST), limits=self.limits) as session:
            outcome = session.call(Module(name="tool", source=self.source), "tool", {})
        return ending(outcome, tuple(world.deeds))


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """Run blocks in sessions that are open at the same time: (session, code). `tenants` gives each a sandbox of its own."""

    blocks: tuple[tuple[int, str], ...]
    tenants: bool = False
    limits: Limits = QUICK

    def on(self, ground: Ground) -> Ending:
        places = (ground.sandbox, ground.other if self.tenants else ground.sandbox)
        with ExitStack() as stack:
            sessions = [stack.enter_context(place.open(limits=self.limits)) for place in places]
            endings = [ending(sessions[number].run(code)) for number, code in self.blocks]
        if any(item.unsupported for item in endings):
            return next(item for item in endings if item.unsupported)
        return Ending(value=[_plain(item) for item in endings])


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Run test files against a tool; the value is what each test came to."""

    files: Mapping[str, str]
    source: str = field(default_factory=lambda: DOUBLE)
    limits: Limits = QUICK
    environment: bool = False

    def on(self, ground: Ground) -> Ending:
        functions = Functions.only(World(), MANIFEST) if self.environment else Functions()
        with ground.sandbox.open(functions=functions, limits=self.limits) as session:
            return told(session.test(Module(name="tool", source=self.source), self.files))


@dataclass(frozen=True, kw_only=True)
class Mutants:
    """Run test files against a right tool and a wrong one: the value is whether they passed each."""

    files: Mapping[str, str]

    def on(self, ground: Ground) -> Ending:
        with ground.sandbox.open(limits=QUICK) as session:
            reports = [session.test(Module(name="tool", source=text), self.files) for text in (DOUBLE, WRONG)]
        unfit = [item.failure for item in reports if item.failure is not None and item.failure.unsupported]
        if unfit:
            return Ending(kind=unfit[0].kind, unsupported=True)
        return Ending(value=[item.passed for item in reports])


DOUBLE = "def tool(n: int = 1) -> int:\n    return 2 * n\n"
WRONG = "def tool(n: int = 1) -> int:\n    return 3 * n\n"


def ending(outcome: Outcome, deeds: tuple[str, ...] = ()) -> Ending:
    """Return what an outcome comes to."""
    if outcome.limit is not None:
        return Ending(limit=outcome.limit, value=outcome.value, deeds=deeds)
    if outcome.failure is not None:
        failure = outcome.failure
        return Ending(kind=failure.kind, unsupported=failure.unsupported, value=outcome.value, deeds=deeds)
    return Ending(value=outcome.value, deeds=deeds)


def told(report: TestReport) -> Ending:
    """Return what a report comes to: for each test that it passed, or the error that ended it."""
    if report.limit is not None:
        return Ending(limit=report.limit)
    if report.failure is not None:
        return Ending(kind=report.failure.kind, unsupported=report.failure.unsupported)
    return Ending(value={case.name.rpartition("::")[2]: _word(case.passed, case.message) for case in report.cases})


def _word(passed: bool, message: str) -> str:
    if passed:
        return "passed"
    found = RAISED.search(message) or LAST.search(message)
    return found[1].rpartition(".")[2] if found else "failed"


def _plain(item: Ending) -> Json:
    return str(item) if item.kind or item.limit is not None else item.value


def called(
    name: str, tries: str, code: str, docker: Expect, twin: str, value: Json, imports: str = "", limits: Limits = QUICK
) -> Program:
    """Return a program and its twin that are the lines of a function, with the same imports and limits."""
    return Program(
        name=name,
        tries=tries,
        attack=Call(source=program(code, imports), limits=limits),
        docker=docker,
        twin=Call(source=program(twin, imports), limits=replace(limits, wall_seconds=QUICK.wall_seconds)),
        value=value,
    )


def loaded(
    name: str, tries: str, source: str, docker: Expect, twin: str, value: Json, limits: Limits = QUICK
) -> Program:
    """Return a program and its twin that are whole modules."""
    return Program(
        name=name,
        tries=tries,
        attack=Call(source=source, limits=limits),
        docker=docker,
        twin=Call(source=twin),
        value=value,
    )
