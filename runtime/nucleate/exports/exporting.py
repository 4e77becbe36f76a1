"""Exports from a runtime: which tools, in which form, into which folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from nucleate.errors import InputInvalid
from nucleate.exports.folders import Written, write_folder
from nucleate.exports.library_files import Files, library_files
from nucleate_tool_library import State, Tool, ToolVersion

if TYPE_CHECKING:
    from nucleate.runtime import Runtime

FileForm = Literal["library"]
SHOWN = (State.CANDIDATE, State.CANARY, State.ACTIVE, State.SUSPECT, State.DEPRECATED)


@dataclass(frozen=True, kw_only=True)
class ExportReport:
    """What an export wrote, which tools it holds, and what it had to leave out with the reason."""

    folder: Path
    form: str
    tools: tuple[str, ...]
    files: Written
    left_out: Mapping[str, str] = field(default_factory=dict)


def export_tools(
    runtime: Runtime, to: Path, *, names: Sequence[str] = (), scope: str | None = None, form: FileForm = "library"
) -> ExportReport:
    """Write the library, or the named tools with all that they call, into a folder."""
    tools = chosen(runtime, names, scope)
    made = FORMS[form](runtime, tools)
    written = write_folder(made.files, to, kind=form, partial=bool(names) or scope is not None)
    return ExportReport(folder=to, form=form, tools=made.tools, files=written, left_out=made.left_out)


def chosen(runtime: Runtime, names: Sequence[str], scope: str | None) -> tuple[Tool, ...]:
    """Return the tools that are not archived, or the named ones and those that they call, by scope and name."""
    if not names:
        tools = runtime.library.tools(scope=scope, states=SHOWN)
        if not tools:
            where = f" in the environment {scope!r}" if scope is not None else ""
            raise InputInvalid(f"there are no tools{where} to export; `nucleate tools list` shows all")
        return tools
    found = {tool.version.name: tool for tool in (runtime.library.tool(name, scope=scope) for name in names)}
    for tool in tuple(found.values()):
        for version in runtime.library.close([tool.version.id]):
            found.setdefault(version.name, runtime.library.tool(version.name, scope=tool.scope))
    return tuple(sorted(found.values(), key=lambda tool: (tool.scope, tool.name)))


def _library(runtime: Runtime, tools: Sequence[Tool]) -> Files:
    scopes = sorted({tool.scope for tool in tools if runtime.scopes.knows(tool.scope)})
    return library_files(
        tools,
        dependencies={tool.version.id: _called(runtime, tool) for tool in tools},
        functions={scope: runtime.scopes.view(scope).functions for scope in scopes},
        policy=runtime.policy,
    )


def _called(runtime: Runtime, tool: Tool) -> tuple[ToolVersion, ...]:
    return tuple(runtime.library.version(key) for key in tool.version.dependencies)


FORMS: Mapping[str, Callable[[Runtime, Sequence[Tool]], Files]] = {"library": _library}
