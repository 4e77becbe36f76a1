"""Judges the tools of a repository, each after those that it calls, beside those that are admitted already."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from nucleate_codifier.admission.admit import judge
from nucleate_codifier.admission.fingerprint import fingerprint
from nucleate_codifier.admission.generality.generality_gate import generality_gate
from nucleate_codifier.admission.reading.references import capabilities_of, dependencies_of
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.remembered import VerdictMemory, admit_once
from nucleate_codifier.repository.advice import advised
from nucleate_codifier.repository.order import CallGraph
from nucleate_codifier.repository.project_values import JudgedTool, ToolFile
from nucleate_codifier.values import Decision, Finding, Gate, GateReport, LibraryView, Status, Verdict
from nucleate_sandbox import Sandbox
from nucleate_tool_library import LibraryError, ToolVersion, read_signature

USABLE = frozenset({Decision.ADMITTED, Decision.PROVISIONAL})
OnJudged = Callable[[JudgedTool], None]
Tools = dict[str, dict[str, ToolVersion]]  # by scope and name


class Memory(VerdictMemory, Protocol):
    """A memory of verdicts that tells which of them it gave back, and what in it is damaged."""

    @property
    def hits(self) -> set[str]: ...
    @property
    def damaged(self) -> list[str]: ...


@dataclass(frozen=True, kw_only=True)
class JudgingSetup:
    """What judging works with: one sandbox and one memory for all, and how many tools are judged side by side."""

    sandbox: Sandbox
    memory: Memory
    jobs: int = 1


def judge_tools(
    graph: CallGraph,
    paths: frozenset[str],
    bench: JudgingSetup,
    *,
    beside: frozenset[str] = frozenset(),
    unchanged: frozenset[str] = frozenset(),
    on_judged: OnJudged | None = None,
) -> tuple[JudgedTool, ...]:
    """Judge these tools and what they call, in the order of their paths; none may be the twin of one of `beside`.

    What is `unchanged` is nobody's twin: where two do the same, the one that came is refused.
    """
    chosen = graph.with_dependencies(paths)
    rest = (beside - chosen) | (unchanged & chosen)
    court = _Court(graph, bench, _at_rest(graph, rest, bench), unchanged, on_judged or (lambda _: None))
    with ThreadPoolExecutor(max_workers=bench.jobs, thread_name_prefix="admit") as pool:
        for level in graph.levels(chosen):
            for item in list(pool.map(court.alone, level)):
                court.close(item)
    return tuple(court.judged[path] for path in sorted(court.judged))


class _Court:
    def __init__(
        self, graph: CallGraph, bench: JudgingSetup, at_rest: Tools, unchanged: frozenset[str], on_judged: OnJudged
    ) -> None:
        self._on_judged = on_judged
        self._unchanged = unchanged
        self._at_rest = at_rest
        self._graph = graph
        self._bench = bench
        self._admitted: Tools = {}
        self.judged: dict[str, JudgedTool] = {}

    def alone(self, path: str) -> tuple[Subject, JudgedTool]:
        """Judge one tool with nothing but what it calls: so the round may be judged side by side."""
        began = time.monotonic()
        tool, called = self._graph.tools[path], self._graph.calls[path]
        subject = self._subject(tool, called)
        verdict = (
            _unreadable(tool) or self._after_an_outage(tool, called) or admit_once(subject, memory=self._bench.memory)
        )
        names = tuple(self._graph.tools[other].name for other in called)
        return subject, JudgedTool(
            tool=tool,
            verdict=verdict,
            dependencies=tuple(sorted(names)),
            cached=verdict.depends_on in self._bench.memory.hits,
            milliseconds=(time.monotonic() - began) * 1000,
        )

    def close(self, item: tuple[Subject, JudgedTool]) -> None:
        """Compare a tool that passed with the others, and let it be called if it still passes."""
        subject, judged = item
        scope = judged.tool.candidate.scope
        admitted = self._admitted.setdefault(scope, {})
        others = {**self._at_rest.get(scope, {}), **admitted}
        came = judged.tool.path not in self._unchanged
        if came and judged.verdict.decision in USABLE and others.keys() - subject.library.tools.keys():
            beside = replace(subject, library=LibraryView(tools=dict(sorted(others.items()))))
            judged = replace(judged, verdict=_beside(beside, judged.verdict, self._bench.memory))
        if judged.verdict.decision in USABLE:
            admitted[judged.tool.name] = _version(judged.tool, judged.verdict.capabilities, judged.verdict.dependencies)
        judged = replace(judged, verdict=advised(judged.verdict, judged.tool.name))
        self.judged[judged.tool.path] = judged
        self._on_judged(judged)

    def _subject(self, tool: ToolFile, called: tuple[str, ...]) -> Subject:
        scope = self._admitted.get(tool.candidate.scope, {})
        names = {self._graph.tools[path].name: path for path in called}
        return Subject(
            candidate=tool.candidate,
            library=LibraryView(
                tools=self._closure([name for name in names if name in scope], scope),
                unusable={name: self._why(path) for name, path in names.items() if name not in scope},
            ),
            environment=tool.project.environment,
            sandbox=self._bench.sandbox,
            evidence=tool.evidence,
            policy=tool.project.policy,
        )

    def _closure(self, names: list[str], scope: dict[str, ToolVersion]) -> dict[str, ToolVersion]:
        by_id = {version.id: version for version in scope.values()}
        found: dict[str, ToolVersion] = {}
        waiting = [scope[name] for name in names]
        while waiting:
            version = waiting.pop()
            if version.name not in found:
                found[version.name] = version
                waiting += [by_id[key] for key in version.dependencies if key in by_id]
        return dict(sorted(found.items()))

    def _why(self, path: str) -> str:
        judged = self.judged.get(path)
        if judged is not None:
            rules = dict.fromkeys(finding.rule for finding in judged.verdict.findings)
            return f"refused ({', '.join(rules)})"
        cycle = self._graph.cycle(path)
        return f"part of a cycle ({' → '.join(cycle)})" if cycle else "not admitted, since it calls a cycle"

    def _after_an_outage(self, tool: ToolFile, called: tuple[str, ...]) -> Verdict | None:
        """Nothing is known of a tool that calls one of which nothing is known."""
        known = [self.judged[path] for path in called if path in self.judged]
        unknown = [item.tool.name for item in known if item.verdict.decision is Decision.UNJUDGED]
        if not unknown:
            return None
        finding = Finding(
            rule=f"{Gate.CLOSURE.value}/outage",
            message=f"nothing is known about {', '.join(map(repr, unknown))}, which it calls",
            fix="repair what stopped that judgement, then ask again",
        )
        report = GateReport(gate=Gate.CLOSURE, status=Status.UNJUDGED, findings=(finding,))
        return Verdict(candidate=tool.name, decision=Decision.UNJUDGED, gates=(report,))


def _unreadable(tool: ToolFile) -> Verdict | None:
    if not tool.fault:
        return None
    finding = Finding(rule="parse/file", message=tool.fault, fix="put a text file in UTF-8 there, or exclude the path")
    report = GateReport(gate=Gate.PARSE, status=Status.REFUSED, findings=(finding,))
    return Verdict(candidate=tool.name, decision=Decision.REJECTED, gates=(report,))


def _at_rest(graph: CallGraph, paths: frozenset[str], bench: JudgingSetup) -> Tools:
    """Return the tools that are not judged this time, with what their sources alone tell: what they call and reach."""
    found: Tools = {}
    for path in (path for level in graph.levels(graph.with_dependencies(paths)) for path in level):
        tool = graph.tools[path]
        known = found.setdefault(tool.candidate.scope, {})
        subject = Subject(
            candidate=tool.candidate,
            library=LibraryView(tools=dict(sorted(known.items()))),
            environment=tool.project.environment,
            sandbox=bench.sandbox,
            evidence=tool.evidence,
            policy=tool.project.policy,
        )
        with contextlib.suppress(LibraryError):  # what cannot be read is nobody's twin
            known[tool.name] = _version(tool, capabilities_of(subject), dependencies_of(subject))
    return found


def _beside(subject: Subject, verdict: Verdict, memory: VerdictMemory) -> Verdict:
    """Judge again, beside the others, the one gate that looks at tools which are not called."""
    known = memory.find(fingerprint(subject))
    if known is not None:
        return known
    again = judge(subject, [(Gate.GENERALITY, generality_gate)])
    gates = tuple(again.gates[0] if report.gate is Gate.GENERALITY else report for report in verdict.gates)
    decision = verdict.decision if again.decision in USABLE else again.decision
    merged = replace(verdict, gates=gates, decision=decision, depends_on=again.depends_on)
    memory.add(subject.candidate, merged)
    return merged


def _version(tool: ToolFile, capabilities: tuple[str, ...] = (), dependencies: tuple[str, ...] = ()) -> ToolVersion:
    return ToolVersion(
        name=tool.name,
        scope=tool.candidate.scope,
        source=tool.candidate.source,
        signature=read_signature(tool.candidate.source, tool.name),
        capabilities=capabilities,
        dependencies=dependencies,
        lock=tool.candidate.lock,
    )
