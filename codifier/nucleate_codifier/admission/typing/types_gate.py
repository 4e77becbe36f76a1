"""The types gate: mypy strict against stubs of the environment and of the library.

A hallucinated function, argument or field is a type error. Objects of the environment are TypedDicts first; what mypy
says about those counts as far as it is about their fields, or is also said when they are `dict[str, Any]`.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable

from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.reading.packages import imported_packages
from nucleate_codifier.admission.reading.references import dependency_names
from nucleate_codifier.admission.running.bench import GateTimeout
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.admission.typing.any_types import any_findings, inferred
from nucleate_codifier.admission.typing.checker import CheckerExhausted, CheckerTimeout, TypeProblem, checker
from nucleate_codifier.admission.typing.stubs import environment_stub, library_stub, package_stubs
from nucleate_codifier.rulebook import RULES
from nucleate_codifier.values import Finding, Gate

FIELDS = frozenset({"typeddict-item", "typeddict-unknown-key", "typeddict-readonly-mutated"})


def typing_gate(subject: Subject) -> GateResult:
    """Return the type errors of the candidate; raise GateOutage when the checker fails, GateTimeout when it is late."""
    given = source.read(subject.candidate.source)
    if given.module is None:
        return GateResult(findings=(source.unreadable("types"),))
    try:
        findings = [
            *any_findings(given.module, subject.candidate.name),
            *map(_finding, _problems(subject, given.module)),
        ]
    except CheckerTimeout as late:
        raise GateTimeout from late
    except CheckerExhausted:
        findings = [_too_complex()]
    return GateResult(findings=tuple(dict.fromkeys(sorted(findings, key=lambda finding: finding.line or 0))))


def _problems(subject: Subject, module: ast.Module) -> list[TypeProblem]:
    problems = _check(subject, module, exact=True)
    if not problems:
        return []
    plain = {(problem.line, problem.code) for problem in _check(subject, module, exact=False)}
    return [item for item in problems if _is_exact(item) or (item.line, item.code) in plain]


def _too_complex() -> Finding:
    rule = "types/too-complex"
    return Finding(rule=rule, message="the type checker ran out of memory over this module", fix=RULES[rule].fix)


def _is_exact(problem: TypeProblem) -> bool:
    """A missing field, and a comparison with a choice that the schema does not list, are mistakes for sure."""
    unequal = problem.code == "comparison-overlap" and "Literal[" in problem.message
    return problem.code in FIELDS or unequal


def _check(subject: Subject, module: ast.Module, *, exact: bool) -> list[TypeProblem]:
    names = dependency_names(subject)
    kind = "exact" if exact else "plain"
    prelude = f"from nucleate_environment_{kind} import env, FunctionError"
    if names:
        prelude += f"; from nucleate_library_{kind} import {', '.join(names)}"
    after = _prelude_line(module)
    text = inferred(subject.candidate.source, module) if exact else subject.candidate.source
    lines = _without_comments(text).split("\n")
    text = "\n".join([*lines[:after], prelude, *lines[after:]])
    problems = checker().check(text, _stubs(subject, names), seconds=subject.policy.seconds(Gate.TYPES) / 3)
    return [
        TypeProblem(line=item.line - (item.line > after), code=item.code, message=_plain_words(item.message))
        for item in problems
    ]


def _stubs(subject: Subject, names: Iterable[str]) -> dict[str, str]:
    functions = subject.environment.functions.values()
    signatures = [subject.library.tools[name].signature for name in names]
    return {
        "nucleate_environment_exact": environment_stub(functions, exact=True),
        "nucleate_environment_plain": environment_stub(functions, exact=False),
        "nucleate_library_exact": library_stub(signatures, exact=True),
        "nucleate_library_plain": library_stub(signatures, exact=False),
        **package_stubs(imported_packages(subject.candidate.source)),
    }


def _prelude_line(module: ast.Module) -> int:
    """Return how many lines must stay first: the docstring, `from __future__`, and what shares their lines."""
    after = 0
    for node in module.body:
        is_docstring = node is module.body[0] and isinstance(node, ast.Expr)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if is_docstring or is_future or node.lineno <= after:
            after = max(after, node.end_lineno or 0)
    return after


def _without_comments(text: str) -> str:
    """Return the text with every comment blank: none of them may talk to the checker."""
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines)


def _plain_words(message: str) -> str:
    for kind in ("exact", "plain"):
        message = message.replace(f"nucleate_environment_{kind}.", "").replace(f"nucleate_library_{kind}.", "")
    message = message.replace("nucleate_candidate.", "")
    return message if len(message) <= 240 else f"{message[:200]}…{message[-30:]}"


def _finding(problem: TypeProblem) -> Finding:
    rule = f"types/{problem.code}"
    if rule in RULES:
        return Finding(rule=rule, line=problem.line, message=problem.message, fix=RULES[rule].fix)
    message = f"{problem.message}  [{problem.code}]"
    return Finding(rule="types/other", line=problem.line, message=message, fix=RULES["types/other"].fix)
