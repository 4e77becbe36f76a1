"""Near-duplicates by behaviour: a tool of the library that already does what the recorded runs ask for.

Only admitted tools run here, on the candidate's arguments; the candidate itself is judged by the dynamic gates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from nucleate_codifier.admission.generality.duplicates import rivals
from nucleate_codifier.admission.reading.references import capabilities_of
from nucleate_codifier.admission.running.bench import Bench, Unsupported
from nucleate_codifier.admission.running.compare import calls_difference, result_difference
from nucleate_codifier.admission.running.grounds import recorded_ground, run
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Candidate, Example, Gate
from nucleate_sandbox import JsonObject, canonical
from nucleate_tool_library import Signature, ToolVersion, read_signature

MOST_RIVALS, MOST_EXAMPLES = 5, 4


def behaves_alike(subject: Subject) -> ToolVersion | None:
    """Return a tool that meets the candidate's examples, one parameter for one of the same type, if there is one.

    Needs two examples that differ in their arguments: on one, many tools agree.
    """
    distinct = {canonical(example.arguments): example for example in subject.evidence.seen}
    examples = list(islice(distinct.values(), MOST_EXAMPLES))
    if len(examples) < 2 or not capabilities_of(subject):
        return None
    own = read_signature(subject.candidate.source, subject.candidate.name)
    for version in rivals(subject)[:MOST_RIVALS]:
        names = renaming(own, version.signature)
        if names is not None and _meets(subject, version, [_renamed(example, names) for example in examples]):
            return version
    return None


def _meets(subject: Subject, version: ToolVersion, examples: list[Example]) -> bool:
    own = Candidate(name=version.name, scope=version.scope, source=version.source, lock=version.lock)
    other = replace(subject, candidate=own)
    try:
        with Bench(other, Gate.GENERALITY) as bench:
            return all(_does(bench, other, example) for example in examples)
    except Unsupported:
        return False  # what this sandbox cannot run says nothing


def _does(bench: Bench, other: Subject, example: Example) -> bool:
    """Tell whether a tool makes a run's own calls in their order, and returns the same."""
    outcome = run(bench, recorded_ground(other, example))
    return (calls_difference(outcome.calls, example.calls) or result_difference(outcome, example)) is None


def renaming(own: Signature, other: Signature) -> dict[str, str] | None:
    """Return which parameter of another tool stands for which of the candidate's; None where their types differ."""
    mine, theirs = list(_parameters(own)), list(_parameters(other))
    if [kind for _, kind in mine] != [kind for _, kind in theirs]:
        return None
    same = {name for name, _ in mine} == {name for name, _ in theirs}
    return {name: name if same else theirs[place][0] for place, (name, _) in enumerate(mine)}


def _parameters(signature: Signature) -> Iterator[tuple[str, str]]:
    properties = signature.parameters.get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        plain: JsonObject = dict(schema) if isinstance(schema, dict) else {}
        for key in ("description", "default", "title"):
            plain.pop(key, None)
        yield name, canonical(plain)


def _renamed(example: Example, names: dict[str, str]) -> Example:
    return replace(example, arguments={names.get(name, name): value for name, value in example.arguments.items()})
