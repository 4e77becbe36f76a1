"""Subjects for the static gates: a small shop, a library of two tools, a sandbox that must not be opened."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import (
    AdmissionPolicy,
    Candidate,
    EnvironmentView,
    Evidence,
    Example,
    LibraryView,
)
from nucleate_sandbox import NONE, Call, Effect, Functions, FunctionSpec, JsonObject, Limits, Lock, Session
from nucleate_sandbox.limits import DEFAULT
from nucleate_tool_library import ToolVersion, read_signature

ORDER: JsonObject = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "status": {"type": "string", "enum": ["open", "sent"]},
        "total": {"type": "number"},
        "note": {"type": "string"},
    },
    "required": ["id", "status", "total"],
}


def _function(name: str, effect: Effect, returns: JsonObject, **parameters: JsonObject) -> FunctionSpec:
    properties: JsonObject = dict(parameters)
    schema: JsonObject = {"type": "object", "properties": properties, "required": [*parameters]}
    return FunctionSpec(name=name, doc=f"{name}.", parameters=schema, returns=returns, effect=effect)


FUNCTIONS = {
    spec.name: spec
    for spec in (
        _function("shop.get_order", Effect.READ, ORDER, order_id={"type": "integer"}),
        _function(
            "shop.list_orders",
            Effect.READ,
            {"type": "object", "properties": {"orders": {"type": "array", "items": ORDER}}, "required": ["orders"]},
            status={"type": "string", "enum": ["open", "sent"]},
        ),
        _function("shop.delete_order", Effect.DESTRUCTIVE, {"type": "null"}, order_id={"type": "integer"}),
        _function("mail.send", Effect.WRITE, {"type": "boolean"}, to={"type": "string"}, text={"type": "string"}),
        _function("misc.anything", Effect.READ, {}),
    )
}


class ClosedSandbox:
    """Static gates never run anything."""

    name = "closed"
    final = True

    def open(self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None) -> Session:
        raise AssertionError("a static gate opened a sandbox")

    def close(self) -> None:
        return None


def tool(name: str, *, parameters: str = "n: int", returns: str = "int", body: str = "return n") -> ToolVersion:
    source = f'def {name}({parameters}) -> {returns}:\n    """Say it."""\n    {body}\n'
    return ToolVersion(name=name, scope="shop", source=source, signature=read_signature(source, name))


LIBRARY = LibraryView(tools={"double": tool("double")}, unusable={"old_total": "archived", "odd_total": "suspect"})


def example(*functions: str) -> Example:
    calls = tuple(Call(function=name, arguments={}) for name in functions)
    return Example(task_id="t1", query="what is open?", arguments={}, result=None, calls=calls)


def subject(
    source: str,
    *,
    name: str = "tool",
    library: LibraryView = LIBRARY,
    evidence: Evidence | None = None,
    policy: AdmissionPolicy | None = None,
) -> Subject:
    return Subject(
        candidate=Candidate(name=name, scope="shop", source=source),
        library=library,
        environment=EnvironmentView(name="shop", functions=FUNCTIONS),
        sandbox=ClosedSandbox(),
        evidence=evidence or Evidence(seen=(example(*FUNCTIONS),)),
        policy=policy or AdmissionPolicy(),
    )


def body(text: str, *, header: str = "", parameters: str = "n: int", returns: str = "int") -> str:
    """Return a tool's module; the body's first line is line 3, or 3 more than the header's lines."""
    lines = dedent(text).strip("\n").split("\n")
    function = f'def tool({parameters}) -> {returns}:\n    """Do the work."""\n'
    return header + function + "".join(f"    {line}\n" for line in lines)


def found(result: GateResult) -> list[tuple[str, int | None]]:
    """Return (rule, line) of each finding."""
    return [(finding.rule, finding.line) for finding in result.findings]


def judge(gate: Callable[[Subject], GateResult], source: str) -> list[tuple[str, int | None]]:
    return found(gate(subject(source)))


HOSTILE = {
    "a null byte": "x = 1\0",
    "nested brackets": "x = " + "(" * 5000 + ")" * 5000,
    "nested lists below the limit of the parser": "x = " + "[" * 150 + "]" * 150,
    "nested blocks": "".join("  " * n + "if 1:\n" for n in range(95)) + "  " * 95 + "pass\n",
    "a tower of signs": "x = " + "-" * 15_000 + "1",
    "a tower of nots": "x = " + "not " * 4000 + "1",
    "a long sum": "x = 1" + "+1" * 9000,
    "a long chain of attributes": "x = a" + ".b" * 9000,
    "a long chain of calls": "x = f" + "()" * 9000,
    "a long chain of powers": "x = 1" + "**1" * 6000,
    "a long chain of lambdas": "x = " + "lambda: " * 2400 + "1",
    "a long chain of conditions": "x = " + "1 if 1 else " * 1600 + "1",
    "nested f-strings": "x = " + "f'{" * 3 + "1" + "}'" * 3,
    "a long chain of elifs": "if 1: pass\n" + "elif 1: pass\n" * 1500,
    "a long comparison": "x = 1" + "<1" * 9900,
    "twenty kilobytes": "x = 1\n" * 4000,
    "many nodes": "x=[" + "1," * 9000 + "]",
    "a byte order mark": "\ufeffx = 1",
    "a lone surrogate": "x = '\ud800'",
    "an encoding cookie": "# -*- coding: utf-7 -*-\nx = 1",
    "an unfinished string": "x = '''",
    "a backslash at the end": "x = 1 \\",
    "a tab after spaces": "if 1:\n        x = 1\n\ty = 2\n",
    "a form feed": "x = 1\n\x0cimport os\n",
    "a carriage return in a comment": "# harmless\rimport os\n",
    "a huge number": "x = " + "9" * 6000,
    "an invalid escape": "x = '\\d'\ny = b'\\777'\n",
    "nothing": "",
    "only a comment": "# nothing",
    "async at the top": "async def f(): pass\nawait f()",
    "a return at the top": "return 1",
    "a star import": "from os import *",
    "bidirectional text": "x = '\u202e'",
    "line separators": "x = 1\u2028y = 2",
}
