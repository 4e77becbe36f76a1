"""Runs a candidate's own pytest files in a forked child; the tool itself is called on the host's other side."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from .channel import Channel
from .environment import FunctionError
from .failures import describe
from .plain import to_json
from .programs import provide

FOLDER = Path("/tmp/suite")  # noqa: S108
OPTIONS = ("-q", "--noconftest", "-p", "no:cacheprovider", "--rootdir", str(FOLDER), "-c", os.devnull)
MAX_MESSAGE = 4_000

hypothesis.settings.register_profile(
    "sandbox", database=None, deadline=None, derandomize=True, print_blob=False, max_examples=50
)
hypothesis.settings.load_profile("sandbox")


class ToolError(Exception):
    """The tool failed with an exception class that this process does not know, or hit a limit."""

    def __init__(self, message: str, *, kind: str = "ToolError") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message


class Record:
    """A pytest plugin that keeps the tests collected and the result of each one that ran."""

    def __init__(self) -> None:
        self.collected = 0
        self.running = ""
        self.cases: dict[str, dict[str, Any]] = {}
        self.broken: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(str(report.longrepr)[-MAX_MESSAGE:])

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.collected = len(session.items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        case = self.cases.setdefault(report.nodeid, {"name": report.nodeid, "passed": True, "message": ""})
        if not report.passed and case["passed"]:
            message = str(report.longrepr)[-MAX_MESSAGE:]
            case.update(passed=False, message=message.encode("utf-8", "backslashreplace").decode("utf-8"))


def serve_test(channel: Channel, request: dict[str, Any]) -> None:
    """Write the files, run pytest over them, send the record."""
    record = Record()
    for name, value in {"tool": _tool(channel, record, request["parameters"]), "ToolError": ToolError}.items():
        provide(name, value)
    try:
        _run(request["files"], record)
    except BaseException as error:  # noqa: BLE001 - the test files are the program here
        channel.send(describe(error, frozenset(request["files"])))
        return
    sys.stdout.flush()
    cases = list(record.cases.values())
    channel.send({"do": "report", "collected": record.collected, "cases": cases, "broken": "\n".join(record.broken)})


def _run(files: dict[str, str], record: Record) -> None:
    FOLDER.mkdir()
    os.chdir(FOLDER)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    pytest.main([*OPTIONS, *files], plugins=[record])


def _tool(channel: Channel, record: Record, parameters: list[str]) -> Callable[..., Any]:
    def tool(*positional: Any, **arguments: Any) -> Any:
        if len(positional) > len(parameters):
            raise TypeError(f"tool takes {len(parameters)} arguments, not {len(positional)}")
        named = dict(zip(parameters, positional, strict=False))
        if twice := sorted(named.keys() & arguments.keys()):
            raise TypeError(f"tool got {', '.join(map(repr, twice))} twice")
        request = {
            "do": "tool",
            "test": record.running,
            "arguments": {name: to_json(value) for name, value in {**named, **arguments}.items()},
        }
        answer = channel.ask(request)
        if answer.get("error") is not None:
            raise _exception(answer["error"])
        return answer.get("value")

    return tool


def _exception(error: dict[str, Any]) -> Exception:
    """Return the exception that a test can expect by its own class: a builtin one, FunctionError, or ToolError."""
    if error["from_environment"]:
        return FunctionError(error["message"], kind=error["kind"])
    known = getattr(builtins, error["kind"], None)
    if isinstance(known, type) and issubclass(known, Exception) and not issubclass(known, FunctionError | ToolError):
        try:
            return known(error["message"])
        except TypeError:
            return ToolError(error["message"], kind=error["kind"])
    return ToolError(error["message"], kind=error["kind"])
