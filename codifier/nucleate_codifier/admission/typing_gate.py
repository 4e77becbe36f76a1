"""The types gate: mypy strict against stubs of the environment and of the library.

A hallucinated function, argument or field is a type error. Objects of the environment are TypedDicts first; what mypy
says about those counts as far as it is about their fields, or is also said when they are `dict[str, Any]`.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable

from nucleate_codifier.admission import source
from nucleate_codifier.admission.checker import TypeProblem, checker
from nucleate_codifier.admission.references import dependency_names
from nucleate_codifier.admission.stubs import environment_stub, library_stub
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding

FIELDS = frozenset({"typeddict-item", "typeddict-unknown-key", "typeddict-readonly-mutated"})
FIXES = {
    "attr-defined": "use a name that exists; the message proposes one where there is one near",
    "call-arg": "give exactly the arguments that the function declares",
    "arg-type": "convert the value, or annotate it as what it is",
    "typeddict-item": "use a field that the function's schema declares",
    "return-value": "return what the annotation promises, or correct the annotation",
    "no-untyped-def": "annotate every parameter and the result, helpers included",
    "type-arg": "say what the container holds: list[int], dict[str, str]",
    "union-attr": "check for None first",
    "index": "check for None first, or annotate the container",
    "name-defined": "define or import the name",
}


def typing_gate(subject: Subject) -> GateResult:
    """Return the type errors of the candidate. Raises GateOutage when the checker itself fails."""
    given = source.read(subject.candidate.source)
    if given.module is None:
        return GateResult(findings=(source.unreadable("types"),))
    problems = _check(subject, given.module, exact=True)
    if problems:
        plain = {(problem.line, problem.code) for problem in _check(subject, given.module, exact=False)}
        problems = [item for item in problems if item.code in FIELDS or (item.line, item.code) in plain]
    findings = tuple(dict.fromkeys(_finding(problem) for problem in problems))
    return GateResult(findings=findings)


def _check(subject: Subject, module: ast.Module, *, exact: bool) -> list[TypeProblem]:
    names = dependency_names(subject)
    kind = "exact" if exact else "plain"
    prelude = f"from nucleate_environment_{kind} import env, FunctionError"
    if names:
        prelude += f"; from nucleate_library_{kind} import {', '.join(names)}"
    after = _prelude_line(module)
    lines = _without_comments(subject.candidate.source).split("\n")
    text = "\n".join([*lines[:after], prelude, *lines[after:]])
    problems = checker().check(text, _stubs(subject, names))
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
    return Finding(
        rule=f"types/{problem.code}",
        line=problem.line,
        message=problem.message,
        fix=FIXES.get(problem.code, "make the types agree"),
    )
