"""Which arguments a tool would be given in a run: read off the run's own calls."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nucleate_codifier import Template
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A tool's arguments, and the calls of the run (by index) that the tool would make in their place."""

    tool: ToolVersion
    arguments: JsonObject
    calls: tuple[int, ...]


def bindings(tool: ToolVersion, steps: Sequence[Step], rest: Sequence[int]) -> list[Bound]:
    """Return how the tool can take the place of calls among the rest; calls of other functions are looked past."""
    if not tool.template:
        return []
    template = _template(json.dumps(tool.template))
    functions = {pattern.function for pattern in template.patterns}
    of_its_own = [at for at in rest if steps[at].function in functions]
    found = []
    for start in range(len(of_its_own)):
        match = template.match([steps[at] for at in of_its_own[start:]], 0)
        if match is not None:
            calls = tuple(of_its_own[start + at] for at in match.steps)
            found.append(Bound(tool=tool, arguments=match.arguments, calls=calls))
    return found


@lru_cache(maxsize=512)
def _template(text: str) -> Template:
    return Template.from_json(json.loads(text))


@dataclass(frozen=True, kw_only=True)
class Role:
    """A parameter is an argument of a function, or each element of it is, or a field of each element."""

    parameter: str
    function: str
    argument: str
    each: bool
    field: str | None = None


@lru_cache(maxsize=512)
def roles(source: str) -> tuple[Role, ...]:
    """Return which parameters a tool hands on to which arguments of environment functions, as its source says."""
    tree = ast.parse(source)
    public = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    names = {arg.arg for arg in (*public[0].args.args, *public[0].args.kwonlyargs)} if public else set()
    return tuple(_roles(public[0], names)) if public else ()


def _roles(function: ast.FunctionDef, names: set[str]) -> Iterator[Role]:
    loops = dict(_loops(function, names))
    for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        if not name.startswith("env."):
            continue
        for keyword in call.keywords:
            match keyword.value:
                case ast.Name(id=value) if value in names or value in loops:
                    field: str | None = None
                case ast.Subscript(value=ast.Name(id=value), slice=ast.Constant(value=str() as key)) if value in loops:
                    field = key
                case _:
                    continue
            if keyword.arg:
                yield Role(
                    parameter=loops.get(value, value),
                    function=name.removeprefix("env."),
                    argument=keyword.arg,
                    each=value in loops,
                    field=field,
                )


def _loops(function: ast.FunctionDef, names: set[str]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(function):
        match node:
            case ast.For(target=ast.Name(id=item), iter=ast.Name(id=items)) if items in names:
                yield item, items
            case ast.comprehension(target=ast.Name(id=item), iter=ast.Name(id=items)) if items in names:
                yield item, items


def candidates(tool: ToolVersion, steps: Sequence[Step], rest: Sequence[int]) -> dict[str, Json]:
    """Return parameter → the value that the run's own next call gives to the argument that it feeds.

    Where no such call follows, an argument of the same name in any other one will do, else the first listed value.
    """
    found: dict[str, Json] = {}
    for role in roles(tool.source):
        uses = [
            steps[at].arguments[role.argument]
            for at in rest
            if steps[at].function == role.function and role.argument in steps[at].arguments
        ]
        if uses and role.field is not None:
            records = found.setdefault(role.parameter, [{} for _ in uses])
            for record, use in zip(records if isinstance(records, list) else [], uses, strict=False):
                if isinstance(record, dict):
                    record[role.field] = use
        elif uses and role.parameter not in found:
            found[role.parameter] = list(uses) if role.each else uses[0]
    for name in required(tool):
        uses = [steps[at].arguments[name] for at in rest if name in steps[at].arguments]
        values = [*uses, *_enumerated(tool, name)]
        if name not in found and values:
            found[name] = values[0]
    return found


def _enumerated(tool: ToolVersion, name: str) -> list[Json]:
    properties = tool.signature.parameters.get("properties")
    schema = properties.get(name) if isinstance(properties, dict) else None
    values = schema.get("enum") if isinstance(schema, dict) else None
    return values if isinstance(values, list) else []


def required(tool: ToolVersion) -> list[str]:
    """Return the parameters without a default."""
    names = tool.signature.parameters.get("required")
    return [str(name) for name in names] if isinstance(names, list) else []


def listed(tool: ToolVersion) -> frozenset[str]:
    """Return the values that the signature itself lists."""
    found: set[str] = set()

    def walk(schema: object) -> None:
        if isinstance(schema, dict):
            for key, item in schema.items():
                if key in ("enum", "const"):
                    found.update(str(value).lower() for value in (item if isinstance(item, list) else [item]))
                walk(item)
        elif isinstance(schema, list):
            for item in schema:
                walk(item)

    walk(tool.signature.parameters)
    return frozenset(found)


def writing_functions(tool: ToolVersion, writes: frozenset[str]) -> frozenset[str]:
    """Return the functions by which a tool changes something: its family."""
    return frozenset(tool.capabilities) & writes
