"""The trace codifier: from the recorded runs of a plan to a candidate tool with its evidence, or why not."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.entities import Entities
from nucleate_codifier.trace.align.runs import distinct, groups_of
from nucleate_codifier.trace.align.template import Template
from nucleate_codifier.trace.answers import with_answers
from nucleate_codifier.trace.carry_out.contradicting import contradicted_by
from nucleate_codifier.trace.carry_out.evidence import examples
from nucleate_codifier.trace.explain.agreement import Agreement, agree, strongest
from nucleate_codifier.trace.explain.compilation import returned
from nucleate_codifier.trace.explain.fixed_sequences import fix
from nucleate_codifier.trace.explain.guarding import guarded
from nucleate_codifier.trace.explain.usefulness import check_worth
from nucleate_codifier.trace.refusals import Refused, names, refused, too_deep
from nucleate_codifier.trace.render.docstring import docstring
from nucleate_codifier.trace.render.helpers import twin, uses
from nucleate_codifier.trace.render.naming import tool_name
from nucleate_codifier.trace.render.rendering import Locals
from nucleate_codifier.trace.render.tool_source import SourceDraft, write
from nucleate_codifier.trace.varying import check_varies
from nucleate_codifier.values import Candidate, Evidence, Finding, LibraryView
from nucleate_sandbox import Effect, FunctionSpec
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


@dataclass(frozen=True, kw_only=True)
class World:
    """The functions of a scope, and what its runs show of values."""

    functions: Mapping[str, FunctionSpec]
    entities: Entities


@dataclass(frozen=True, kw_only=True)
class LibraryKnowledge:
    """What the library has: names that are taken, and the templates of tools that a new one may call."""

    names: frozenset[str]
    templates: Mapping[str, Template]

    @classmethod
    def of(cls, library: LibraryView) -> LibraryKnowledge:
        """Read the library once."""
        templates = {name: Template.from_json(v.template) for name, v in library.tools.items() if v.template}
        return cls(names=frozenset({*library.tools, *library.unusable}), templates=templates)


def codify(
    plan: Entry,
    occurrences: Sequence[Occurrence],
    *,
    functions: Mapping[str, FunctionSpec],
    library: LibraryView,
    name_taken: Container[str] = (),
    entities: Entities | None = None,
) -> Codified | Refusal:
    """Compile a plan from about 60 % of its groups of runs by anti-unification; the rest is evidence it never saw.

    `entities` is what all runs of the scope show of its values; without it, these runs do.
    """
    shown = entities or Entities.of(occurrence.trajectory for occurrence in occurrences)
    try:
        return _codify(
            plan, occurrences, World(functions=functions, entities=shown), LibraryKnowledge.of(library), name_taken
        )
    except Refused as refusal:
        return Refusal(findings=(refusal.finding,))
    except RecursionError:
        return Refusal(findings=(too_deep(),))


def _codify(
    plan: Entry,
    occurrences: Sequence[Occurrence],
    world: World,
    known: LibraryKnowledge,
    name_taken: Container[str],
) -> Codified:
    functions = world.functions
    runs = distinct([run for run in occurrences if all(run.groups)])
    skipping = distinct([run for run in occurrences if not all(run.groups)])
    _check_enough(runs)
    template, agreement = _template(plan, runs, skipping, world)
    _check_new(template, known)
    evidence, unmatched = _judge(template, agreement)
    fixed = fix(template, (*evidence.seen, *evidence.held_out), functions)
    if fixed != template:
        template = fixed
        check_worth(template, functions)
        _check_new(template, known)
        evidence, unmatched = _judge(template, agreement)
    check_varies(template, agreement, evidence, world)
    _check_uncontradicted(template, runs, functions)
    name = tool_name(template, functions, _Either(known.names, name_taken))
    answered = with_answers(functions, (*evidence.seen, *evidence.held_out))
    source = _write(name, template, agreement, answered, known)
    candidate = Candidate(name=name, scope=plan.scope, source=source, plan_id=plan.id, template=template.to_json())
    return Codified(candidate=candidate, evidence=evidence, template=template, unmatched=unmatched)


def _check_uncontradicted(
    template: Template, runs: Sequence[Occurrence], functions: Mapping[str, FunctionSpec]
) -> None:
    """For writes no counter-example is tolerated: one judged run that wrote something else refuses the tool."""
    against = contradicted_by(template, runs, functions)
    if against:
        raise refused(
            "contradicted",
            f"{names([one.trajectory.task_id for one, _ in against])} speak against it: {against[0][1]}",
            "Record runs that show by what the task tells the one from the other.",
        )


def _check_enough(runs: Sequence[Occurrence]) -> None:
    groups = len(set(groups_of(runs)))
    if groups < FEWEST_RUNS:
        raise refused(
            "too-few-runs",
            f"{groups} groups of different inputs; a tool needs two to compile from and one to hold out",
            f"Record {FEWEST_RUNS - groups} more runs of this plan about other things.",
        )


def _template(
    plan: Entry,
    runs: Sequence[Occurrence],
    skipping: Sequence[Occurrence],
    world: World,
) -> tuple[Template, Agreement]:
    agreement = agree(plan.signature, runs, world.functions, world.entities)
    template = _named(agreement, reads=strongest(plan.signature, world.functions) is Effect.READ)
    check_worth(template, world.functions)
    return _guarded(template, agreement, skipping)


def _guarded(template: Template, agreement: Agreement, skipping: Sequence[Occurrence]) -> tuple[Template, Agreement]:
    """Guard a call that other runs of the plan skip; every other one of these then counts among those seen."""
    for position in range(len(agreement.compiled.starts)):
        without = [run for run in skipping if not run.groups[position]]
        step = agreement.compiled.starts[position]
        found = guarded(template, step, agreement.seen, without[::2]) if without else template
        if found != template:
            seen, held_out = [*agreement.seen, *without[::2]], [*agreement.held_out, *without[1::2]]
            return found, replace(agreement, seen=seen, held_out=held_out)
    return template, agreement


def _named(agreement: Agreement, *, reads: bool) -> Template:
    bare = Template(patterns=agreement.compiled.patterns)
    local = Locals.of(bare).steps
    steps = returned(agreement.compiled, reads=reads)
    return replace(bare, returns=tuple((local[step].removesuffix("_result"), step) for step in steps))


def _check_new(template: Template, known: LibraryKnowledge) -> None:
    name = twin(template, known.templates)
    if name is not None:
        raise refused("already-a-tool", f"the tool {name!r} makes these calls already", f"Call {name!r}.")


def _judge(template: Template, agreement: Agreement) -> tuple[Evidence, tuple[str, ...]]:
    compiled_from, strange = examples(template, agreement.seen)
    if strange:
        raise refused(
            "not-reproduced",
            f"the template does not give back the calls of {names(strange)}, from which it was made",
            "Record runs in which the repeated calls follow one list.",
        )
    judged, unmatched = examples(template, agreement.held_out)
    if len(unmatched) > MOST_UNMATCHED * len(agreement.held_out):
        raise refused(
            "does-not-generalise",
            f"{len(unmatched)} of {len(agreement.held_out)} held-out runs do other things: {names(unmatched)}",
            "Record more runs, so that those it is compiled from show what varies.",
        )
    return Evidence(seen=compiled_from, held_out=judged), unmatched


def _write(
    name: str, template: Template, agreement: Agreement, functions: Mapping[str, FunctionSpec], known: LibraryKnowledge
) -> str:
    used = [one for one in agreement.compiled.parameters if one.name in template.parameters]
    parameters = sorted(used, key=lambda parameter: parameter.optional)
    draft = SourceDraft(
        name=name,
        template=template,
        parameters=parameters,
        functions=functions,
        docstring=docstring(template, parameters, functions),
        uses=uses(template, known.templates),
    )
    return write(draft)


@dataclass(frozen=True)
class _Either:
    one: Container[str]
    other: Container[str]

    def __contains__(self, name: object) -> bool:
        return name in self.one or name in self.other
