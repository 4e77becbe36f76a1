"""A corrupted environment: a tool whose examples do not notice wrong answers is not tested by them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from nucleate_codifier.admission.running.bench import Bench, Benches
from nucleate_codifier.admission.running.compare import told_apart
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.running.grounds import run
from nucleate_codifier.admission.running.worlds import AlteredAnswers
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Json

MAX_EXAMPLES = 5


def altered(value: Json) -> Json:
    """Change every scalar: strings get a suffix, numbers are shifted, truth values flipped, null is a string."""
    if isinstance(value, list):
        return [altered(item) for item in value]
    if isinstance(value, dict):
        return {key: altered(item) for key, item in value.items()}
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    return f"{value}~" if value is not None else "~"


def shortened(value: Json) -> Json:
    """Drop the first element of every list."""
    if isinstance(value, list):
        return [shortened(item) for item in value[1:]]
    return {key: shortened(item) for key, item in value.items()} if isinstance(value, dict) else value


def stripped(value: Json) -> Json:
    """Drop every key of the outermost objects, and the whole of a scalar."""
    if isinstance(value, list):
        return [stripped(item) for item in value]
    return {} if isinstance(value, dict) else None


ANSWERS: tuple[Callable[[Json], Json], ...] = (altered, shortened, stripped)


def check_corruption(
    benches: Benches, subject: Subject, met: Sequence[Ran], *, failures: int
) -> tuple[list[Finding], int]:
    """Corrupt each function's answers in turn; return the findings and how many corruptions were noticed.

    `failures` says how many failing calls were noticed: where none was either, the examples show nothing at all.
    """
    examples = met[:MAX_EXAMPLES]
    names = sorted({call.function for example in examples for call in example.outcome.calls if call.error is None})
    noticed = _try_all(benches, names, examples)
    unused = unused_results(subject.candidate.source)
    findings = [_ignored(name) for name, count in noticed.items()
                if not count and name not in unused and _is_called(subject, name)]  # fmt: skip
    total = sum(noticed.values()) + failures
    recorded = any(item.example.calls for item in examples)
    return ([_vacuous()] if recorded and not total else findings), total


def _try_all(benches: Benches, names: Sequence[str], examples: Sequence[Ran]) -> dict[str, int]:
    pairs = [(name, way) for name in names for way in ANSWERS]
    noticed = benches.each(lambda bench, pair: _notices(bench, *pair, examples), pairs)
    rows = [noticed[first : first + len(ANSWERS)] for first in range(0, len(pairs), len(ANSWERS))]
    return {name: sum(row) for name, row in zip(names, rows, strict=True)}


def _notices(bench: Bench, name: str, corrupt: Callable[[Json], Json], examples: Sequence[Ran]) -> bool:
    return any(
        told_apart(item.outcome, run(bench, item.ground, world=AlteredAnswers(item.ground.world(), {name}, corrupt)))
        for item in examples
        if any(call.function == name for call in item.outcome.calls)
    )


def _is_called(subject: Subject, name: str) -> bool:
    """A function that only a dependency calls was judged with that dependency."""
    return f"env.{name}" in subject.candidate.source


def unused_results(source: str) -> frozenset[str]:
    """Return the environment functions whose result the source discards wherever it calls them."""
    tree = ast.parse(source)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    discarded = {id(value) for node in ast.walk(tree) if (value := _discarded(node, read)) is not None}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    used = {_function_of(call) for call in calls if id(call) not in discarded}
    return frozenset(name for call in calls if (name := _function_of(call)) and name not in used)


def _discarded(node: ast.AST, read: set[str]) -> ast.expr | None:
    match node:
        case ast.Expr(value=value):
            return value
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in read:
            return value
    return None


def _function_of(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=function, value=ast.Attribute(attr=namespace, value=ast.Name(id="env"))):
            return f"{namespace}.{function}"
    return ""


def _ignored(name: str) -> Finding:
    return Finding(
        rule="tests/ignores-result",
        message=f"wrong answers of {name!r} change nothing in any example",
        fix="use the result, or call the function as a statement of its own",
    )


def _vacuous() -> Finding:
    return Finding(
        rule="tests/vacuous",
        message="no corruption of the environment changes anything: the tool, or its examples, show nothing",
        fix="make the result depend on what the environment answers",
    )
