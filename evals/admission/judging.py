"""Judges the corpus: evidence is recorded from the reference tool, then every candidate goes through all gates."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from evals.admission.corpus_files import CorpusTask, Labelled
from evals.admission.desks import Desks
from nucleate_codifier import (
    AdmissionPolicy,
    Candidate,
    Decision,
    EnvironmentView,
    Evidence,
    Example,
    LibraryView,
    Subject,
    Verdict,
    admit,
)
from nucleate_codifier.admission.reading.references import capabilities_of, dependencies_of
from nucleate_sandbox import Functions, Module, Sandbox
from nucleate_tool_library import ToolVersion, read_signature


class BadReference(RuntimeError):
    """A reference tool does not run on its own arguments: the corpus is at fault."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A candidate, its verdict, and how long it took in milliseconds."""

    labelled: Labelled
    verdict: Verdict
    milliseconds: float

    @property
    def admitted(self) -> bool:
        """True where it may be called from now on."""
        return self.verdict.decision is Decision.ADMITTED

    @property
    def caught_by(self) -> str:
        """Return the rule of the first finding; empty where there is none."""
        return next((finding.rule for finding in self.verdict.findings), "")


@dataclass(frozen=True, kw_only=True)
class Hall:
    """Where a half is judged: its tasks by name, the worlds, and the sandbox."""

    tasks: Mapping[str, CorpusTask]
    desks: Desks
    sandbox: Sandbox


def judge_one(item: Labelled, evidence: Evidence, hall: Hall) -> Judged:
    """Put one candidate through all gates."""
    world = hall.desks.open(item.task.world)
    policy = replace(AdmissionPolicy(), approved_destructive=frozenset(item.task.approved))
    tests = {f"test_{item.task.name}.py": item.tests} if item.tests else {}
    began = time.perf_counter()
    verdict = admit(
        Candidate(name=item.task.name, scope=item.task.world, source=item.source, tests=tests),
        library=_library(item.task, hall),
        environment=EnvironmentView(name=item.task.world, functions=world.functions, live=world),
        sandbox=hall.sandbox,
        evidence=evidence,
        policy=policy,
    )
    return Judged(labelled=item, verdict=verdict, milliseconds=(time.perf_counter() - began) * 1000)


def record(task: CorpusTask, hall: Hall) -> Evidence:
    """Run the reference on each arguments in a fresh world, and keep results and calls as examples."""
    module = module_of(task, hall.tasks)
    examples = []
    for number, (query, arguments) in enumerate(zip(task.queries, task.arguments, strict=True)):
        world = hall.desks.open(task.world)
        with hall.sandbox.open(functions=Functions.only(world, world.functions)) as session:
            outcome = session.call(module, task.name, dict(arguments))
        if not outcome.ok:
            raise BadReference(f"{task.name!r} with {arguments!r}: {outcome.failure or outcome.limit}")
        examples.append(Example(task_id=f"{task.name}-{number}", query=query, arguments=dict(arguments),
                                result=outcome.value, calls=outcome.calls))  # fmt: skip
    seen = len(examples) - task.held_out
    return Evidence(seen=tuple(examples[:seen]), held_out=tuple(examples[seen:]))


def module_of(task: CorpusTask, tasks: Mapping[str, CorpusTask]) -> Module:
    """Return the reference tool with those that it needs."""
    needed = tuple(module_of(tasks[name], tasks) for name in task.needs)
    return Module(name=task.name, source=task.source, dependencies=needed)


def _library(task: CorpusTask, hall: Hall) -> LibraryView:
    """Return the library that holds the reference tools which the task may build on, and what those need."""
    tools: dict[str, ToolVersion] = {}
    for name in task.needs:
        below = _library(hall.tasks[name], hall)
        tools |= below.tools
        tools[name] = _version(hall.tasks[name], below, hall)
    return LibraryView(tools=tools)


def _version(task: CorpusTask, library: LibraryView, hall: Hall) -> ToolVersion:
    subject = Subject(
        candidate=Candidate(name=task.name, scope=task.world, source=task.source),
        library=library,
        environment=EnvironmentView(name=task.world, functions=hall.desks.open(task.world).functions),
        sandbox=hall.sandbox,
        evidence=Evidence(),
        policy=AdmissionPolicy(),
    )
    return ToolVersion(
        name=task.name,
        scope=task.world,
        source=task.source,
        signature=read_signature(task.source, name=task.name),
        capabilities=capabilities_of(subject),
        dependencies=dependencies_of(subject),
    )
