"""The trace codifier: from the recorded runs of a plan to a candidate tool with its evidence, or why not."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.trace.compilation import Compilation, Compiled, returned
from nucleate_codifier.trace.docstring import docstring
from nucleate_codifier.trace.evidence import examples
from nucleate_codifier.trace.expressions import Var
from nucleate_codifier.trace.inference import Inference
from nucleate_codifier.trace.naming import tool_name
from nucleate_codifier.trace.refusals import Refused, names, refused
from nucleate_codifier.trace.rendering import Locals
from nucleate_codifier.trace.runs import distinct, open_run, split
from nucleate_codifier.trace.source import Draft, write
from nucleate_codifier.trace.template import Template
from nucleate_codifier.values import Candidate, Evidence, Finding, LibraryView
from nucleate_sandbox import FunctionSpec
from nucleate_text_memory import Entry, Occurrence

FEWEST_RUNS = 3
MOST_UNMATCHED = 1 / 3


@dataclass(frozen=True, kw_only=True)
class Codified:
    """A candidate for admission; `unmatched` are held-out tasks whose calls the template does not recognise."""

    candidate: Candidate
    evidence: Evidence
    template: Template
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why the plan does not become a tool, and which observation would decide."""

    findings: tuple[Finding, ...]


def codify(
    plan: Entry,
    occurrences: Sequence[Occurrence],
    *,
    functions: Mapping[str, FunctionSpec],
    library: LibraryView,
    name_taken: Container[str] = (),
) -> Codified | Refusal:
    """Compile a plan from about 60 % of its distinct runs by anti-unification; the rest is evidence it never saw."""
    try:
        return _codify(plan, occurrences, functions, {*library.tools, *library.unusable}, name_taken)
    except Refused as refusal:
        return Refusal(findings=(refusal.finding,))


def _codify(
    plan: Entry,
    occurrences: Sequence[Occurrence],
    functions: Mapping[str, FunctionSpec],
    known: set[str],
    name_taken: Container[str],
) -> Codified:
    runs = distinct(occurrences)
    if len(runs) < FEWEST_RUNS:
        raise refused(
            "too-few-runs",
            f"{len(runs)} runs with different queries; a tool needs two to compile from and one to hold out",
            f"Record {FEWEST_RUNS - len(runs)} more runs of this plan with other queries.",
        )
    seen, held_out, compiled = _compile_what_agrees(plan, runs, functions)
    template = _named(compiled)
    _check_worth(template)
    evidence, unmatched = _judge(template, seen, held_out)
    name = tool_name(template, functions, _Either(known, name_taken))
    source = _write(name, template, compiled, functions)
    candidate = Candidate(name=name, scope=plan.scope, source=source, plan_id=plan.id, template=template.to_json())
    return Codified(candidate=candidate, evidence=evidence, template=template, unmatched=unmatched)


def _compile_what_agrees(
    plan: Entry, runs: Sequence[Occurrence], functions: Mapping[str, FunctionSpec]
) -> tuple[list[Occurrence], list[Occurrence], Compiled]:
    """Compile from all kinds of runs; where repeated calls follow no list, from those that repeat none, if most."""
    seen, held_out = split(runs)
    try:
        return seen, held_out, _compile(plan, seen, functions)
    except Refused as refusal:
        plain = [run for run in runs if all(len(group) == 1 for group in run.groups)]
        if refusal.finding.rule != "trace/no-common-loop" or len(plain) < max(FEWEST_RUNS, len(runs) / 2):
            raise
    seen, held_out = split(plain)
    return seen, held_out, _compile(plan, seen, functions)


def _compile(plan: Entry, seen: Sequence[Occurrence], functions: Mapping[str, FunctionSpec]) -> Compiled:
    compilation = Compilation(functions=functions, inference=Inference(runs=[open_run(run) for run in seen]))
    for position, function in enumerate(plan.signature):
        compilation.add(position, function)
    return compilation.done()


def _named(compiled: Compiled) -> Template:
    bare = Template(patterns=compiled.patterns)
    local = Locals.of(bare).steps
    return replace(bare, returns=tuple((local[step].removesuffix("_result"), step) for step in returned(compiled)))


def _check_worth(template: Template) -> None:
    if len(template.patterns) < 2 and all(pattern.over is None for pattern in template.patterns):
        raise refused("one-call", "the tool would make one call", "Call the function itself.")
    if not template.parameters and not any(isinstance(expr, Var) for expr in template.expressions):
        raise refused(
            "nothing-varies",
            "every argument is the same in every run: the tool would have no parameters and pass nothing on",
            "Record runs that differ in at least one argument.",
        )


def _judge(
    template: Template, seen: Sequence[Occurrence], held_out: Sequence[Occurrence]
) -> tuple[Evidence, tuple[str, ...]]:
    compiled_from, strange = examples(template, seen)
    if strange:
        raise refused(
            "not-reproduced",
            f"the template does not give back the calls of {names(strange)}, from which it was made",
            "Record runs in which the repeated calls follow one list.",
        )
    judged, unmatched = examples(template, held_out)
    if len(unmatched) > MOST_UNMATCHED * len(held_out):
        raise refused(
            "does-not-generalise",
            f"{len(unmatched)} of {len(held_out)} held-out runs do other things: {names(unmatched)}",
            "Record more runs, so that those it is compiled from show what varies.",
        )
    return Evidence(seen=compiled_from, held_out=judged), unmatched


def _write(name: str, template: Template, compiled: Compiled, functions: Mapping[str, FunctionSpec]) -> str:
    parameters = sorted(compiled.parameters, key=lambda parameter: parameter.optional)
    draft = Draft(
        name=name,
        template=template,
        parameters=parameters,
        functions=functions,
        docstring=docstring(template, parameters, functions),
    )
    return write(draft)


@dataclass(frozen=True)
class _Either:
    one: Container[str]
    other: Container[str]

    def __contains__(self, name: object) -> bool:
        return name in self.one or name in self.other
