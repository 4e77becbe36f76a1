"""Exports from a runtime: which tools, in which form, into which folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from nucleate.errors import InputInvalid
from nucleate.exports.folders import Written, write_folder
from nucleate.exports.library_files import Files, library_files, scope_folders
from nucleate.exports.modules import Closed
from nucleate.exports.package_files import Package, package_files
from nucleate.exports.skill_files import skill_files
from nucleate_sandbox import FunctionSpec
from nucleate_tool_library import LibraryError, State, Tool, ToolVersion

if TYPE_CHECKING:
    from nucleate.runtime import Runtime

FileForm = Literal["library", "package", "skills"]
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
    runtime: Runtime,
    to: Path,
    *,
    names: Sequence[str] = (),
    scope: str | None = None,
    form: FileForm = "library",
    package: Package | None = None,
) -> ExportReport:
    """Write the library, or the named tools with all that they call, into a folder.

    `package` names what the form `package` makes, which holds tools of one environment.
    """
    tools = chosen(runtime, names, scope)
    made = _made(runtime, tools, form, package)
    written = write_folder(made.files, to, kind=form, partial=bool(names) or scope is not None)
    return ExportReport(folder=to, form=form, tools=made.tools, files=written, left_out=made.left_out)


def _made(runtime: Runtime, tools: Sequence[Tool], form: FileForm, package: Package | None) -> Files:
    match form:
        case "library":
            return _library(runtime, tools)
        case "package":
            return _package(runtime, tools, package)
        case "skills":
            unusable: dict[str, str] = {}
            made = skill_files(closed(runtime, tools, unusable), _all_functions(runtime, tools))
            return replace(made, left_out={**made.left_out, **unusable})
    raise InputInvalid(f"the format {form!r} is unknown; there are {', '.join(get_args(FileForm))}")


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
    return library_files(
        tools,
        dependencies={tool.version.id: _called(runtime, tool) for tool in tools},
        functions=_all_functions(runtime, tools),
        policy=runtime.policy,
    )


def _called(runtime: Runtime, tool: Tool) -> tuple[ToolVersion, ...]:
    return tuple(runtime.library.version(key) for key in tool.version.dependencies)


def _package(runtime: Runtime, tools: Sequence[Tool], package: Package | None) -> Files:
    scopes = sorted({tool.scope for tool in tools})
    if len(scopes) > 1:
        raise InputInvalid(f"a package holds the tools of one environment; say which of {', '.join(scopes)} by --scope")
    folder = scope_folders(scopes)[scopes[0]]
    named = package or Package(name=folder if folder.endswith("-tools") else f"{folder}-tools")
    unusable: dict[str, str] = {}
    made = package_files(closed(runtime, tools, unusable), named, _functions(runtime, scopes[0]))
    return replace(made, left_out={**made.left_out, **unusable})


def closed(runtime: Runtime, tools: Sequence[Tool], left_out: dict[str, str]) -> list[Closed]:
    """Return each tool with all that it calls; one that may not be called now is left out."""
    found: list[Closed] = []
    for tool in tools:
        try:
            found.append(Closed(tool=tool, closure=runtime.library.close([tool.version.id])))
        except LibraryError as error:
            left_out[tool.name] = str(error)
    return found


def _all_functions(runtime: Runtime, tools: Sequence[Tool]) -> dict[str, Mapping[str, FunctionSpec]]:
    return {scope: _functions(runtime, scope) for scope in {tool.scope for tool in tools}}


def _functions(runtime: Runtime, scope: str) -> Mapping[str, FunctionSpec]:
    return runtime.scopes.view(scope).functions if runtime.scopes.knows(scope) else {}
