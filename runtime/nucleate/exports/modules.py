"""Tools as modules of a plain package: what the sandbox provides by name is imported there."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from string import Template

from nucleate.exports.schemas import Unrepresentable
from nucleate.exports.tool_folder import check_name
from nucleate_tool_library import Tool, ToolVersion

CARRIED = Path(__file__).parent / "carried"
RESERVED = frozenset({"bind", "using", "tools"})


@dataclass(frozen=True, kw_only=True)
class Closed:
    """A tool with the versions of all that it calls, dependencies first, itself last."""

    tool: Tool
    closure: Sequence[ToolVersion]


def closed_modules(package: str, items: Sequence[Closed], left_out: dict[str, str]) -> dict[str, str]:
    """Return `tools/NAME.py` for every tool and all that it calls; a tool that has no module is left out.

    Versions of one name that differ cannot stand in one package: the tool that needs the other one is left out.
    """
    files: dict[str, str] = {}
    chosen: dict[str, str] = {item.tool.name: item.tool.version.id for item in items}
    for item in items:
        try:
            _check_versions(item, chosen)
            own = {version.name: _module(package, version, item.closure) for version in item.closure}
        except Unrepresentable as error:
            left_out[item.tool.name] = str(error)
            continue
        files |= {f"tools/{name}.py": text for name, text in own.items()}
    return files


def carried() -> dict[str, str]:
    """Return the modules that every package carries along."""
    return {
        name: (CARRIED / name).read_text(encoding="utf-8") for name in ("_binding.py", "_checking.py", "_recorded.py")
    }


def template(name: str, values: Mapping[str, str]) -> str:
    """Return one of the texts that exports write, with the values in their places; a missing one is an error."""
    text = (CARRIED / name).read_text(encoding="utf-8")
    return Template(text).substitute(values)


def _check_versions(item: Closed, chosen: dict[str, str]) -> None:
    for version in item.closure:
        if chosen.setdefault(version.name, version.id) != version.id:
            raise Unrepresentable(f"it calls an older version of {version.name!r}; `nucleate tools verify` renews it")


def _module(package: str, version: ToolVersion, closure: Sequence[ToolVersion]) -> str:
    check_name(version.name)
    if version.name in RESERVED:
        raise Unrepresentable(f"{version.name!r} is a name of the package itself; rename the tool")
    try:
        module = ast.parse(version.source)
    except (SyntaxError, ValueError) as error:
        raise Unrepresentable(f"the source of {version.name!r} is no Python ({error})") from error
    used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    names = [name for name in ("FunctionError", "env") if name in used]
    imports = [f"from {package}._binding import {', '.join(names)}"] if names else []
    called = sorted({item.name for item in closure if item.id in version.dependencies})
    imports += [f"from {package}.tools.{name} import {name}" for name in called]
    check = [
        f"from {package}._checking import checked as _checked  # noqa: E402 - what is called from outside is checked",
        "",
        f"{version.name} = _checked({version.name}, {version.signature.parameters!r})",
    ]
    return "\n".join([_with_imports(version.source, module, imports).rstrip(), "", "", *check, ""])


def _with_imports(source: str, module: ast.Module, imports: Sequence[str]) -> str:
    """Put imports after the docstring and `from __future__`, where the language wants them."""
    if not imports:
        return source
    lines = source.split("\n")
    head = list(takewhile(_is_head, module.body))
    line = max((node.end_lineno or node.lineno for node in head), default=0)
    if not head and module.body:
        first = module.body[0]
        line = min([first.lineno, *(item.lineno for item in getattr(first, "decorator_list", []))]) - 1
    before, after = lines[:line], lines[line:]
    gap = [] if after[:1] == [""] else [""]
    return "\n".join([*before, *([""] if head else []), *imports, *gap, *after])


def _is_head(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.ImportFrom(module="__future__"):
            return True
    return False
