"""A candidate's pytest files on Monty: plain test functions, each in a fresh interpreter, the tool in another."""

from __future__ import annotations

import ast
import builtins
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic_monty import Frame, Monty

from nucleate_sandbox.environment import NONE, Functions
from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.monty.env_object import FUNCTION_ERROR, IMPORT_FUNCTION_ERROR
from nucleate_sandbox.monty.interpreter import Interpreter
from nucleate_sandbox.monty.judge import at_limit
from nucleate_sandbox.monty.plain_values import to_json
from nucleate_sandbox.monty.program import call_module
from nucleate_sandbox.outcome import Failure, Outcome, TestCase, TestReport, Usage
from nucleate_sandbox.protocol import Module
from nucleate_sandbox.stopping import Stop

Tool = Callable[..., Any]


def run_tests(
    pool: Monty, functions: Functions, limits: Limits, module: Module, tests: Mapping[str, str], stop: Stop
) -> TestReport:
    """Run every test function of the files; each has a fork of the environment of its own."""
    began = time.monotonic()
    cases: list[TestCase] = []
    problems: list[Failure] = []
    for name, text in tests.items():
        try:
            found = _tests_of(text)
        except _Unfit as error:
            problems.append(error.failure)
            continue
        for test in found:
            if time.monotonic() - began > limits.wall_seconds:
                ending = at_limit(Limit.WALL)
                return TestReport(cases=tuple(cases), failure=ending.failure, limit=ending.limit)
            outcome = _run_test(pool, limits, stop, text, test, _tool(pool, functions, limits, module, stop))
            cases.append(_case(f"{name}::{test}", outcome))
            problems += [outcome.failure] if outcome.failure is not None and outcome.failure.unsupported else []
    if not cases and not problems:
        problems = [Failure(kind="NoTests", message="the files hold no test")]
    failure = problems[0] if problems else None
    return TestReport(cases=tuple(cases), failure=failure, usage=Usage(seconds=time.monotonic() - began))


class _Unfit(Exception):
    def __init__(self, kind: str, message: str, *, unsupported: bool = False) -> None:
        super().__init__(message)
        self.failure = Failure(kind=kind, message=message, unsupported=unsupported)


def _tests_of(text: str) -> list[str]:
    """Return the names of the test functions, read from the syntax tree; raise _Unfit for what only pytest can run."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _Unfit("CollectionError", f"{type(error).__name__}: {error}") from error
    for item in body:
        if isinstance(item, ast.ClassDef) and item.name.startswith("Test"):
            raise _Unfit("Unsupported", f"class {item.name!r} needs pytest, which needs Docker", unsupported=True)
    named = {item.name: item for item in body if isinstance(item, ast.FunctionDef)}  # the last of a name is what runs
    found = [item for name, item in named.items() if name.startswith("test")]
    for test in found:
        if test.decorator_list or test.args.args or test.args.kwonlyargs or test.args.posonlyargs:
            message = f"{test.name!r} uses decorators or fixtures: it needs pytest, which needs Docker"
            raise _Unfit("Unsupported", message, unsupported=True)
    return [test.name for test in found]


def _run_test(pool: Monty, limits: Limits, stop: Stop, text: str, test: str, tool: Tool) -> Outcome:
    with Interpreter(pool, NONE, limits, stop, explain_asserts=True) as interpreter:
        interpreter.begin()
        interpreter.prepare(IMPORT_FUNCTION_ERROR, {})
        _, ending = interpreter.feed(f"{text}\n{test}()", _test_file, {}, {"tool": tool})
        return interpreter.outcome(None, ending)


def _test_file(_frame: Frame) -> str:
    return "the test file"


def _case(name: str, outcome: Outcome) -> TestCase:
    if outcome.failure is None:
        return TestCase(name=name, passed=True)
    failure = outcome.failure
    return TestCase(name=name, passed=False, message=failure.traceback or f"{failure.kind}: {failure.message}")


def _tool(pool: Monty, functions: Functions, limits: Limits, module: Module, stop: Stop) -> Tool:
    """Return the function that a test calls: each call has a fresh interpreter, all of one test one environment."""
    parameters = _parameters(module)
    environment = functions.environment

    def tool(*positional: Any, **arguments: Any) -> Any:
        if len(positional) > len(parameters):
            raise TypeError(f"tool takes {len(parameters)} arguments, not {len(positional)}")
        named = dict(zip(parameters, positional, strict=False))
        if twice := sorted(named.keys() & arguments.keys()):
            raise TypeError(f"tool got {', '.join(map(repr, twice))} twice")
        plain: JsonObject = {key: to_json(value) for key, value in {**named, **arguments}.items()}
        with Interpreter(pool, forked(), limits, stop) as interpreter:
            return _reply(call_module(interpreter, module, module.name, plain))

    copies: list[Functions] = []

    def forked() -> Functions:
        if not copies:
            copies.append(replace(functions, environment=environment.fork()) if environment else functions)
        return copies[0]

    return tool


def _reply(outcome: Outcome) -> Any:
    if outcome.failure is None:
        return outcome.value
    raise _exception(outcome.failure)


def _exception(failure: Failure) -> Exception:
    """Return an exception that a test can expect by its own class: a builtin one or FunctionError."""
    if failure.from_environment:
        return FUNCTION_ERROR(failure.message)
    known = getattr(builtins, failure.kind, None)
    if isinstance(known, type) and issubclass(known, Exception):
        try:
            return known(failure.message)
        except TypeError:
            pass
    return RuntimeError(f"{failure.kind}: {failure.message}")


def _parameters(module: Module) -> list[str]:
    try:
        body = ast.parse(module.source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    functions = (item for item in reversed(body) if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
    found = next((item.args for item in functions if item.name == module.name), None)
    return [item.arg for item in (*found.posonlyargs, *found.args)] if found else []
