"""The library as files: a folder for each environment, in it its functions, its rules, and a folder for each tool."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from nucleate.environments import FunctionsFileError, read_functions
from nucleate.exports.schemas import SLUG, Unrepresentable, mapped
from nucleate.exports.tool_folder import folder_of
from nucleate_codifier import AdmissionPolicy
from nucleate_codifier.repository.find import NOT_FOLDERS
from nucleate_sandbox import Effect, FunctionSpec, JsonObject
from nucleate_tool_library import Tool, ToolVersion

KIND = "library"


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of an export by path, the tools that it holds, and what it had to leave out with the reason."""

    files: Mapping[str, str]
    tools: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


def library_files(
    tools: Sequence[Tool],
    *,
    dependencies: Mapping[str, Sequence[ToolVersion]],
    functions: Mapping[str, Mapping[str, FunctionSpec]],
    policy: AdmissionPolicy,
) -> Files:
    """Return the files; `dependencies` by version id, `functions` by environment."""
    files: dict[str, str] = {}
    left_out: dict[str, str] = {}
    held: list[str] = []
    folders = scope_folders(tool.scope for tool in tools)
    for tool in tools:
        try:
            own = folder_of(tool, dependencies.get(tool.version.id, ()))
        except Unrepresentable as error:
            left_out[tool.name] = str(error)
            continue
        held.append(tool.name)
        files |= {f"{folders[tool.scope]}/{path}": text for path, text in own.items()}
    for scope, folder in folders.items():
        known, refused = _usable(scope, functions.get(scope, {}))
        left_out |= refused
        files[f"{folder}/{folder}.functions.json"] = _functions_file(scope, known)
        files[f"{folder}/pyproject.toml"] = _project_file(folder, known, policy)
    return Files(files=files, tools=tuple(held), left_out=left_out)


def scope_folders(scopes: Iterable[str]) -> dict[str, str]:
    """Return a folder's name for each environment, one of its own."""
    named = mapped(sorted(set(scopes)), SLUG)
    return {scope: f"{name}-tools" if name in NOT_FOLDERS else name for scope, name in named.items()}


def _usable(scope: str, functions: Mapping[str, FunctionSpec]) -> tuple[dict[str, FunctionSpec], dict[str, str]]:
    """Part the functions that a file of functions can hold from those that it cannot, so that one spoils no other."""
    known: dict[str, FunctionSpec] = {}
    refused: dict[str, str] = {}
    for name, spec in sorted(functions.items()):
        try:
            read_functions(_functions_file(scope, {name: spec}))
        except FunctionsFileError as error:
            refused[name] = str(error)
        else:
            known[name] = spec
    return known, refused


def _functions_file(scope: str, functions: Mapping[str, FunctionSpec]) -> str:
    described = [_function(functions[name]) for name in sorted(functions)]
    return json.dumps({"environment": scope, "functions": described}, indent=2, ensure_ascii=False) + "\n"


def _function(spec: FunctionSpec) -> JsonObject:
    return {
        "name": spec.name,
        "doc": spec.doc,
        "effect": spec.effect.value,
        "parameters": spec.parameters,
        "returns": spec.returns,
    }


def _project_file(folder: str, functions: Mapping[str, FunctionSpec], policy: AdmissionPolicy) -> str:
    """Return the rules as `nucleate admit` reads them: those of the runtime, where they are not the usual ones."""
    lines = ["[tool.nucleate]", f'environment = "{folder}.functions.json"', 'tools = ["."]']
    usual = AdmissionPolicy()
    for name in [item.name for item in fields(AdmissionPolicy) if item.name != "approved_destructive"]:
        value = _toml(getattr(policy, name))
        if value is not None and getattr(usual, name) != getattr(policy, name):
            lines.append(f"{name} = {value}")
    for name in sorted(policy.approved_destructive & functions.keys()):
        if functions[name].effect is Effect.DESTRUCTIVE:
            lines += ["", f"[tool.nucleate.approvals.{json.dumps(name, ensure_ascii=False)}]", *_APPROVED]
    return "\n".join(lines) + "\n"


_APPROVED = ('by = "the runtime that exported it"', 'why = "its policy approves this function"')


def _toml(value: object) -> str | None:
    """Return a rule's value; None for a table, which has no place in one line."""
    if isinstance(value, frozenset):
        return json.dumps(sorted(value))
    return json.dumps(value) if isinstance(value, str | int | float) else None
