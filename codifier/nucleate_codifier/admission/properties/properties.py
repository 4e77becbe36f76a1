"""Properties that hold for every tool, tried on arguments that Hypothesis makes from the signature and the evidence."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from jsonschema import Draft202012Validator

from nucleate_codifier.admission.properties.draws import drawn
from nucleate_codifier.admission.properties.knowledge import known_schemas, known_values
from nucleate_codifier.admission.properties.rules import PropertyRules
from nucleate_codifier.admission.properties.strategies import ParameterKnowledge, Strategy, arguments
from nucleate_codifier.admission.properties.trial import PropertyTrial, TriedCall
from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.running.compare import shown
from nucleate_codifier.admission.running.worlds import worlds
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Json, JsonObject, canonical
from nucleate_tool_library import read_signature

MAX_HINTS = 60
MAX_HINT = 40

FIXES = {
    "limit": "bound every loop and every page walk",
    "crash": "handle what the environment may answer, or raise ValueError with the reason",
    "wrong-type": "return what the annotation promises on every path",
    "outside-manifest": "call only functions that the source names as `env.namespace.function`",
    "hidden-write": "the recorded runs only read: leave the writing out",
    "not-deterministic": "use no random source, clock, address or set order",
}


@dataclass(frozen=True, kw_only=True)
class Properties:
    """What came of all of them. `tried` holds nothing of a world in which a rule was broken."""

    rules: PropertyRules
    ran: int = 0
    findings: tuple[Finding, ...] = ()
    tried: tuple[TriedCall, ...] = ()


def check_properties(benches: Benches, subject: Subject, *, works: bool) -> Properties:
    """Try the properties on the recording, and on forks of the live environment where there is one.

    A tool that `works` in no example at all is not asked a hundred times more.
    """
    signature = read_signature(subject.candidate.source, subject.candidate.name)
    rules = PropertyRules(subject, signature.returns)
    strategy = strategy_for(subject, signature.parameters)
    count, source = subject.policy.property_examples, subject.candidate.source
    values = drawn(strategy, count, source=source) if count and works else ()
    fits = Draft202012Validator(signature.parameters).is_valid
    findings: list[Finding] = []
    tried: list[TriedCall] = []
    ran = 0
    for world in worlds(subject):
        trial = PropertyTrial(rules=rules, world=world)
        trial.all(benches, values)
        ran += len(trial.outcomes)
        if trial.broken:
            findings += _findings(trial.shrink(benches.first, fits))
        else:
            made = [(value, trial.outcomes[canonical(value)]) for value in values]
            tried += [TriedCall(values=value, world=world, outcome=outcome) for value, outcome in made]
    return Properties(rules=rules, ran=ran, findings=tuple(findings), tried=tuple(tried))


def strategy_for(subject: Subject, parameters: JsonObject) -> Strategy:
    """Return arguments for a candidate: recorded, known to the environment, hinted at by the source, and new ones."""
    seen, functions = subject.evidence.seen, subject.environment.functions
    properties = parameters.get("properties")
    names = properties if isinstance(properties, dict) else {}
    known = {
        name: ParameterKnowledge(values=known_values(name, seen), schemas=known_schemas(name, seen, functions))
        for name in names
    }
    return arguments(parameters, [example.arguments for example in seen], hints(subject.candidate.source), known)


def hints(source: str) -> list[Json]:
    """Return the literals of the source, and the neighbours of its numbers: where a hidden branch would begin."""
    found: list[Json] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=bool()):
                continue
            case ast.Constant(value=str() as text) if len(text) <= MAX_HINT:
                found.append(text)
            case ast.Constant(value=int() | float() as number):
                found += [number - 1, number, number + 1]
    return found[:MAX_HINTS]


def _findings(smallest: Mapping[str, tuple[JsonObject, str]]) -> list[Finding]:
    return [
        Finding(rule=f"tests/{rule}", message=f"with {shown(values)}: {reason}", fix=FIXES[rule])
        for rule, (values, reason) in smallest.items()
    ]
