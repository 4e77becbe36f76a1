"""The generality gate: a tool serves more than the tasks that it came from (Metis §3.3)."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nucleate_codifier.admission.generality.behaviour import behaves_alike
from nucleate_codifier.admission.generality.chosen_rows import own_entities, picked_rows
from nucleate_codifier.admission.generality.duplicates import twin, twin_in_words
from nucleate_codifier.admission.generality.forms import tokens
from nucleate_codifier.admission.generality.free_texts import FreeTexts, free_texts, words_of_schemas
from nucleate_codifier.admission.generality.literals import Literal, borrowed, literals
from nucleate_codifier.admission.generality.memorised import ShownToRun, memory_of
from nucleate_codifier.admission.parse_gate import public_function
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Example, Finding
from nucleate_sandbox import canonical
from nucleate_tool_library import ToolVersion


def generality_gate(subject: Subject) -> GateResult:
    """Refuse what holds for the tasks alone that it came from, and a twin in the library.

    Literals from one query, entities in calls that nobody gave, rows picked by their place, too few distinct queries,
    parameters without use.
    """
    examples = (*subject.evidence.seen, *subject.evidence.held_out)
    distinct, functions = distinct_runs(examples), subject.environment.functions
    free = free_texts(subject.candidate.source, examples, functions)
    findings = [
        *_literals(subject, examples, free),
        *_memories(subject, examples, free),
        *own_entities(examples, words_of_schemas(functions), functions),
        *picked_rows(examples, functions),
        *_queries(subject, distinct),
        *_parameters(subject, examples),
        *_twin(subject),
    ]
    return GateResult(findings=tuple(findings), counts={"queries": distinct})


def distinct_runs(examples: tuple[Example, ...]) -> int:
    """Return the largest number of runs of which no two share their query or their arguments.

    Queries are compared as words (case, punctuation and plurals aside); arguments count only where there are any.
    It is a maximum matching between queries and arguments: many wordings of one input are one piece of evidence.
    """
    if all(not example.arguments for example in examples):
        return len({tokens(example.query) for example in examples})
    partners: dict[tuple[str, ...], set[str]] = {}
    for example in examples:
        partners.setdefault(tokens(example.query), set()).add(canonical(example.arguments))
    owner: dict[str, tuple[str, ...]] = {}
    return sum(_match(query, partners, owner, set()) for query in partners)


def _match(
    query: tuple[str, ...],
    partners: dict[tuple[str, ...], set[str]],
    owner: dict[str, tuple[str, ...]],
    tried: set[str],
) -> bool:
    for item in sorted(partners[query] - tried):
        tried.add(item)
        if item not in owner or _match(owner[item], partners, owner, tried):
            owner[item] = query
            return True
    return False


def _literals(subject: Subject, examples: tuple[Example, ...], free: FreeTexts) -> list[Finding]:
    findings = []
    for literal in literals(subject.candidate.source):
        origin = None if free.holds(literal) else borrowed(literal, examples)
        if origin is not None:
            findings.append(
                Finding(
                    rule="generality/query-literal",
                    message=f"{literal.value!r:.80} comes from the query of task {origin.task_id!r}",
                    line=literal.line,
                    fix="make it a parameter",
                )
            )
    return findings


def _memories(subject: Subject, examples: tuple[Example, ...], free: FreeTexts) -> list[Finding]:
    source, runs = subject.candidate.source, [ShownToRun(example) for example in examples]
    found = []
    for literal in literals(source):
        known = free.holds(literal) or borrowed(literal, examples) is not None
        origin = None if known else memory_of(literal, runs)
        if origin is not None:
            found.append(_memory(literal, origin))
    return found


def _memory(literal: Literal, origin: Example) -> Finding:
    return Finding(
        rule="generality/from-one-run",
        message=f"{literal.value!r:.80} is what the run of task {origin.task_id!r} was told, and no other run",
        line=literal.line,
        fix="read it from the environment's answer, or make it a parameter",
    )


def _queries(subject: Subject, distinct: int) -> list[Finding]:
    if distinct >= subject.policy.min_queries:
        return []
    return [
        Finding(
            rule="generality/too-few-queries",
            message=f"{distinct} structurally distinct queries; the policy asks for {subject.policy.min_queries}",
            fix="wait until the plan recurs with another input",
        )
    ]


def _parameters(subject: Subject, examples: tuple[Example, ...]) -> list[Finding]:
    tree = ast.parse(subject.candidate.source)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    function = public_function(tree, subject.candidate.name)
    parameters = [*function.args.args, *function.args.kwonlyargs] if function is not None else []
    findings = [_unused(arg) for arg in parameters if arg.arg not in read]
    varies = len({canonical(example.arguments) for example in examples}) > 1
    if parameters and examples and not varies:
        findings.append(_constant(parameters[0]))
    return findings


def _unused(arg: ast.arg) -> Finding:
    return Finding(
        rule="generality/unused-parameter",
        message=f"parameter {arg.arg!r} is never read",
        line=arg.lineno,
        fix="use it, or leave it out",
    )


def _constant(arg: ast.arg) -> Finding:
    return Finding(
        rule="generality/constant-parameters",
        message="no parameter varies in the evidence: nothing shows that the tool works for another input",
        line=arg.lineno,
        fix="wait until the plan recurs with other values",
    )


def _twin(subject: Subject) -> list[Finding]:
    """Compare trees first, then words, and behaviour last, since it alone needs a sandbox."""
    for rule, find, how in _TWINS:
        found = find(subject)
        if found is not None:
            return [
                Finding(
                    rule=f"generality/{rule}",
                    message=f"it {how} the tool {found.name!r}",
                    fix=f"call {found.name!r}, or submit this as its next version under its name",
                )
            ]
    return []


_TWINS: tuple[tuple[str, Callable[[Subject], ToolVersion | None], str], ...] = (
    ("near-duplicate", twin, "has the body of"),
    ("same-words", twin_in_words, "is described as"),
    ("same-behaviour", behaves_alike, "does on every example what is done by"),
)
