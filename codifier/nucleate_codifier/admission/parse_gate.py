"""The parse gate: one public, fully annotated function with a docstring, in a module that does nothing by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from nucleate_codifier.admission.reading.definitions import misplaced
from nucleate_codifier.admission.reading.source import quoted, read
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse_gate(subject: Subject) -> GateResult:
    """Return what keeps the candidate from being one module with one callable, documented function."""
    given = read(subject.candidate.source)
    if given.module is None:
        return GateResult(findings=given.findings)
    findings = [*_name(subject.candidate.name), *_functions(given.module, subject.candidate.name)]
    findings += misplaced(given.module)
    findings.sort(key=lambda finding: finding.line or 0)
    return GateResult(findings=tuple(findings), counts={"lines": len(given.text.splitlines())})


def public_function(module: ast.Module, name: str) -> Function | None:
    """Return the function that the candidate is named after, if the module has it."""
    return next((node for node in module.body if isinstance(node, Function) and node.name == name), None)


def _name(name: str) -> Iterator[Finding]:
    if not NAME.fullmatch(name):
        yield Finding(
            rule="parse/name",
            message=f"the name {quoted(name)} does not match ^[a-z][a-z0-9_]{{0,39}}$",
            fix="use a short lower-case name with underscores",
        )


def _functions(module: ast.Module, name: str) -> Iterator[Finding]:
    public = [node for node in module.body if isinstance(node, Function) and not node.name.startswith("_")]
    named = [node for node in public if node.name == name]
    if not named:
        yield Finding(
            rule="parse/no-function",
            line=public[0].lineno if public else None,
            message=f"there is no public function named {quoted(name)}",
            fix=f"define {quoted(name)} with annotations and a docstring",
        )
    extra = [node for node in public if node.name != name] if named else public[1:]
    for node in [*extra, *named[1:]]:
        yield Finding(
            rule="parse/several-functions",
            line=node.lineno,
            message=f"{quoted(node.name)} is a second public function",
            fix="begin its name with an underscore, or make it a tool of its own",
        )
    for node in named[:1]:
        yield from _annotations(node)
        yield from _docstring(node)


def _annotations(function: Function) -> Iterator[Finding]:
    arguments = function.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        if argument.annotation is None:
            yield Finding(
                rule="parse/annotation",
                line=argument.lineno,
                message=f"the parameter {quoted(argument.arg)} has no annotation",
                fix=f"write `{argument.arg}: <type>`",
            )
    if function.returns is None:
        yield Finding(
            rule="parse/annotation",
            line=function.lineno,
            message=f"{quoted(function.name)} has no return annotation",
            fix="write `-> <type>`",
        )
    yield from _result(function)
    for star in [*arguments.posonlyargs, arguments.vararg, arguments.kwarg]:
        if star is not None:
            yield Finding(
                rule="parse/parameter-kind",
                line=star.lineno,
                message=f"the parameter {quoted(star.arg)} cannot be given by one keyword of its own",
                fix="use plain or keyword-only parameters",
            )


_FORMS = {
    "set": "a sorted list",
    "Set": "a sorted list",
    "AbstractSet": "a sorted list",
    "frozenset": "a sorted list",
    "date": "a text, by .isoformat()",
    "datetime": "a text, by .isoformat()",
    "time": "a text, by .isoformat()",
    "timedelta": "a number of seconds, by .total_seconds()",
    "Decimal": "a text, by str(), or a number",
    "Fraction": "a text, by str(), or a number",
    "complex": "a list of two numbers",
    "bytes": "a text, by .hex() or .decode()",
    "bytearray": "a text, by .hex() or .decode()",
}
"""What JSON has in place of a type that it lacks."""


def _result(function: Function) -> Iterator[Finding]:
    """A result goes to whoever called as JSON: what JSON lacks has another form there."""
    for node in ast.walk(function.returns) if function.returns is not None else ():
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        form = _FORMS.get(name)
        match node:
            case ast.Subscript(value=ast.Name(id="tuple" | "Tuple"), slice=ast.Tuple(elts=[_, ast.Constant(value=x)])):
                name, form = "tuple of any length", "a list" if x is ... else None
        if form is not None:
            yield Finding(
                rule="parse/result",
                line=function.lineno,
                message=f"the result is or holds a {name}, which JSON does not have",
                fix=f"return {form}, and say so in the annotation",
            )


def _docstring(function: Function) -> Iterator[Finding]:
    text = ast.get_docstring(function) or ""
    if len(text.split()) < 2:
        yield Finding(
            rule="parse/docstring",
            line=function.lineno,
            message=f"{quoted(function.name)} has no docstring that says what it returns or does",
            fix="add one sentence as the first statement of the function",
        )
