"""Judges the corpus: evidence is recorded from the reference tool, then every candidate goes through all gates."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from evals.admission.corpus_files import CorpusTask, Labelled
from nucleate.shop import open_shop
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

SCOPE = "shop"


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


def judge_one(item: Labelled, evidence: Evidence, by_name: Mapping[str, CorpusTask], sandbox: Sandbox) -> Judged:
    """Put one candidate through all gates."""
    shop = open_shop()
    policy = replace(AdmissionPolicy(), approved_destructive=frozenset(item.task.approved))
    tests = {f"test_{item.task.name}.py": item.tests} if item.tests else {}
    began = time.perf_counter()
    verdict = admit(
        Candidate(name=item.task.name, scope=SCOPE, source=item.source, tests=tests),
        library=_library(item.task, by_name, sandbox),
        environment=EnvironmentView(name=SCOPE, functions=shop.functions, live=shop),
        sandbox=sandbox,
        evidence=evidence,
        policy=policy,
    )
    return Judged(labelled=item, verdict=verdict, milliseconds=(time.perf_counter() - began) * 1000)


def record(task: CorpusTask, by_name: Mapping[str, CorpusTask], sandbox: Sandbox) -> Evidence:
    """Run the reference on each arguments in a fresh shop, and keep results and calls as examples."""
    module = _module(task, by_name)
    examples = []
    for number, (query, arguments) in enumerate(zip(task.queries, task.arguments, strict=True)):
        shop = open_shop()
        with sandbox.open(functions=Functions.only(shop, shop.functions)) as session:
            outcome = session.call(module, task.name, dict(arguments))
        if not outcome.ok:
            raise BadReference(f"{task.name!r} with {arguments!r}: {outcome.failure or outcome.limit}")
        examples.append(Example(task_id=f"{task.name}-{number}", query=query, arguments=dict(arguments),
                                result=outcome.value, calls=outcome.calls))  # fmt: skip
    seen = len(examples) - task.held_out
    return Evidence(seen=tuple(examples[:seen]), held_out=tuple(examples[seen:]))


def _module(task: CorpusTask, by_name: Mapping[str, CorpusTask]) -> Module:
    needed = tuple(_module(by_name[name], by_name) for name in task.needs)
    return Module(name=task.name, source=task.source, dependencies=needed)


def _library(task: CorpusTask, by_name: Mapping[str, CorpusTask], sandbox: Sandbox) -> LibraryView:
    """Return the library that holds the reference tools which the task may build on, and what those need."""
    tools: dict[str, ToolVersion] = {}
    for name in task.needs:
        below = _library(by_name[name], by_name, sandbox)
        tools |= below.tools
        tools[name] = _version(by_name[name], below, sandbox)
    return LibraryView(tools=tools)


def _version(task: CorpusTask, library: LibraryView, sandbox: Sandbox) -> ToolVersion:
    shop = open_shop()
    subject = Subject(
        candidate=Candidate(name=task.name, scope=SCOPE, source=task.source),
        library=library,
        environment=EnvironmentView(name=SCOPE, functions=shop.functions),
        sandbox=sandbox,
        evidence=Evidence(),
        policy=AdmissionPolicy(),
    )
    return ToolVersion(
        name=task.name,
        scope=SCOPE,
        source=task.source,
        signature=read_signature(task.source, name=task.name),
        capabilities=capabilities_of(subject),
        dependencies=dependencies_of(subject),
    )
