"""Whether every tool that reaches a changed function is marked before its next call, and no other tool is.

A library of chains: each first tool calls environment functions, each further one the tool before it. One function at
a time loses a parameter, takes another type, returns something else, has another effect, or vanishes.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.library.part import Measured
from evals.library.tools import SCOPE, library
from evals.sandbox.result import Target
from nucleate import Runtime, Settings
from nucleate.errors import ToolSuspect
from nucleate_sandbox import Effect, Environment, FunctionSpec, Json, JsonObject
from nucleate_tool_library import State, ToolVersion

FUNCTIONS, CHAIN = 40, 6
Change = Callable[[FunctionSpec], FunctionSpec | None]
PROPERTIES: JsonObject = {"key": {"type": "string"}, "limit": {"type": "integer"}}
CHANGES: Mapping[str, Change] = {
    "loses a parameter": lambda spec: replace(spec, parameters=_schema({"key": {"type": "string"}})),
    "takes another type": lambda spec: replace(spec, parameters=_schema({**PROPERTIES, "limit": {"type": "string"}})),
    "returns something else": lambda spec: replace(spec, returns={"type": "array"}),
    "has another effect": lambda spec: replace(spec, effect=Effect.DESTRUCTIVE),
    "vanishes": lambda _spec: None,
}


@dataclass(frozen=True)
class Functions:
    """An environment of functions that nobody needs to answer here."""

    functions: Mapping[str, FunctionSpec]
    name: str = SCOPE

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Answer anything with its name."""
        return {"answer": f"{name} {sorted(arguments)}"}

    def fork(self) -> Environment:
        """Return the environment: it has no state."""
        return self


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this part."""
    parser.add_argument("--drift-tools", type=int, default=240, help="tools of the library in which functions change")
    parser.add_argument("--drift-functions", type=int, default=4, help="functions that change, each in every way")


def measure(chosen: argparse.Namespace) -> Measured:
    """Change functions one at a time, and call every tool that reaches one."""
    tools = chains(library(chosen.drift_tools))
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base.db"
        with _runtime(base, _functions()) as runtime:
            for tool in tools:
                runtime.releases.release(tool, state=State.ACTIVE, plan_id=None, by="evaluation")
        names = [f"{SCOPE}.f{number}" for number in range(chosen.drift_functions)]
        rows = [_changed(base, tools, name, kind) for name in names for kind in CHANGES]
    hit, marked = (sum(int(str(row[key])) for row in rows) for key in ("hit", "marked"))
    wrong = sum(int(str(row["wrongly_marked"])) for row in rows)
    share = marked / hit
    ms = statistics.median(float(str(row["ms"])) for row in rows)
    return Measured(
        title="Drift",
        lines=[
            ("tools, changes", f"{len(tools)}, {len(rows)}"),
            ("tools hit, marked before their next call", f"{hit}, {marked} ({share:.0%})"),
            ("tools marked that were not hit", wrong),
            ("opening a runtime on a changed environment, median", f"{ms:.0f} ms"),
        ],
        figures={"drift_marked_share": share, "drift_wrongly_marked": wrong, "drift_open_ms": ms},
        rows=rows,
        targets=[
            Target(name="tools hit that were marked before their next call", measured=share, bound=1.0, at_least=True),
            Target(name="tools marked that were not hit", measured=wrong, bound=0, at_least=False),
        ],
    )


def chains(tools: Sequence[ToolVersion]) -> list[ToolVersion]:
    """Let each tool call environment functions, or the tool before it and sometimes a function too."""
    made: list[ToolVersion] = []
    for number, tool in enumerate(tools):
        first = number % CHAIN == 0
        reaches = (f"{SCOPE}.f{number % FUNCTIONS}",) if first or number % CHAIN == 3 else ()
        calls = () if first else (made[-1].id,)
        made.append(replace(tool, capabilities=reaches, dependencies=calls))
    return made


def reaching(tools: Sequence[ToolVersion], function: str) -> set[str]:
    """Return the tools that reach a function, worked out from the versions alone."""
    hit: set[str] = set()
    for tool in tools:  # what is called stands before what calls it
        if function in tool.capabilities or hit & set(tool.dependencies):
            hit.add(tool.id)
    return {tool.name for tool in tools if tool.id in hit}


def _changed(base: Path, tools: Sequence[ToolVersion], function: str, kind: str) -> JsonObject:
    """Change one function in a copy of the library, and call every tool that reaches it."""
    copy = base.with_name("copy.db")
    shutil.copy(base, copy)
    functions = _functions()
    after = CHANGES[kind](functions.pop(function))
    hit = reaching(tools, function)
    changed = functions if after is None else {**functions, function: after}
    began = time.perf_counter()
    with _runtime(copy, changed) as runtime:
        took = (time.perf_counter() - began) * 1000
        marked = sum(_refused(runtime, name) for name in sorted(hit))
        suspect = {tool.name for tool in runtime.library.listing(SCOPE, states=(State.SUSPECT,))}
    return {
        "function": function,
        "change": kind,
        "hit": len(hit),
        "marked": marked,
        "wrongly_marked": len(suspect - hit),
        "ms": round(took, 1),
    }


def _refused(runtime: Runtime, name: str) -> bool:
    try:
        runtime.call(name, {})
    except ToolSuspect:
        return True
    return False


def _runtime(database: Path, functions: Mapping[str, FunctionSpec]) -> Runtime:
    return Runtime(Functions(functions), settings=Settings(database=str(database), worker="off", sandbox="monty"))


def _functions() -> dict[str, FunctionSpec]:
    names = [f"{SCOPE}.f{number}" for number in range(FUNCTIONS)]
    returns: JsonObject = {"type": "object"}
    return {
        name: FunctionSpec(name=name, parameters=_schema(PROPERTIES), returns=returns, effect=Effect.READ)
        for name in names
    }


def _schema(properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": ["key"]}
