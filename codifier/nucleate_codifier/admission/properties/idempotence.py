"""Idempotence where a tool declares it: a second call in the same world answers the same and changes nothing more.

A tool declares it by a line of its docstring that begins with the word `Idempotent`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nucleate_codifier.admission.properties.trial import TriedCall
from nucleate_codifier.admission.running.bench import Bench, Benches
from nucleate_codifier.admission.running.compare import ending, same, shown
from nucleate_codifier.admission.running.worlds import Stateful
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Environment

WORD = "Idempotent"
MAX_TRIED = 12


def is_declared(source: str, name: str) -> bool:
    """Return whether the public function's docstring says that the tool is idempotent."""
    functions = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    texts = [ast.get_docstring(node) or "" for node in functions if node.name == name]
    text = texts[-1] if texts else ""
    return any(line.strip().startswith(WORD) for line in text.splitlines())


def check_idempotence(benches: Benches, subject: Subject, tried: Sequence[TriedCall]) -> tuple[list[Finding], int]:
    """Call twice where one call succeeds; return the findings and how many pairs of calls could be judged."""
    if not is_declared(subject.candidate.source, subject.candidate.name):
        return [], 0
    calls = sorted((call for call in tried if call.outcome.ok), key=lambda call: -len(call.outcome.calls))[:MAX_TRIED]
    answers = [answer for answer in benches.each(_twice, calls) if answer is not None]
    broken = next((answer for answer in answers if answer), None)
    if broken is not None:
        return [_finding("not-idempotent", broken, "make a second call find that nothing is left to do")], len(answers)
    if not answers:
        reason = f"the docstring says {WORD!r}, but no call could be made twice in one world"
        return [
            _finding("idempotence-unseen", reason, "give a live environment that can be forked, or drop the word")
        ], 0
    return [], len(answers)


def _twice(bench: Bench, call: TriedCall) -> str | None:
    """Say what the second call does otherwise; nothing where it does not, None where the world cannot tell."""
    world = call.world()
    first = bench.call(call.values, world)
    before = _state(world)
    second = bench.call(call.values, world)
    if second.failure is not None and second.failure.kind == "NoRecord":
        return None
    if not (second.ok and same(first.value, second.value)):
        return f"with {shown(call.values)}: it {ending(first)}, and the second time it {ending(second)}"
    if before is not None and _state(world) != before:
        return f"with {shown(call.values)}: the second call changes the environment again"
    return ""


def _state(world: Environment) -> str | None:
    return repr(world.state()) if isinstance(world, Stateful) else None


def _finding(name: str, message: str, fix: str) -> Finding:
    return Finding(rule=f"tests/{name}", message=message, fix=fix)
