"""Small readers of syntax trees, and builders of schemas, that `schema.py` is made of."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_tool_library.values import Json, JsonObject


@dataclass(frozen=True, kw_only=True)
class Field:
    """One field of a TypedDict or dataclass."""

    name: str
    annotation: ast.expr
    required: bool


def imported_names(module: ast.Module) -> dict[str, str]:
    """Return what each name of a `from … import …` is called where it comes from."""
    imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: alias.name for node in imports for alias in node.names}


def aliases(module: ast.Module) -> dict[str, ast.expr]:
    """Return the expressions that module-level names stand for."""
    found: dict[str, ast.expr] = {}
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
            case _ if type(node).__name__ == "TypeAlias":  # `type X = …`, from Python 3.12 on
                found[node.name.id] = node.value  # type: ignore[attr-defined]
    return found


def expression(text: str) -> ast.expr | None:
    """Return the expression that a quoted annotation holds, or None."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def constant(node: ast.expr | None, names: dict[str, ast.expr]) -> tuple[bool, Json]:
    """Return whether an expression is a JSON literal (or a name of one), and its value."""
    if isinstance(node, ast.Name) and node.id in names:
        node = names[node.id]
    if node is None:
        return False, None
    try:
        value: Json = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False, None
    return (True, value) if is_json(value) else (False, None)


def is_json(value: object) -> bool:
    """Return whether a literal is a JSON value as it stands."""
    if isinstance(value, list):
        return all(is_json(item) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_json(item) for key, item in value.items())
    return value is None or isinstance(value, bool | int | float | str)


def literal_values(node: ast.expr) -> list[Json]:
    """Return the values that one argument of Literal[…] stands for."""
    known, value = constant(node, {})
    return [value] if known else []


_TYPES: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def enumeration(values: Sequence[Json]) -> JsonObject:
    """Return the schema of a closed set of values, with their type where they share one."""
    kinds = {_TYPES.get(type(value), "") for value in values}
    kind: JsonObject = {"type": kinds.pop()} if len(kinds) == 1 and "" not in kinds else {}
    return kind | {"enum": [*values]} if values else {}


def array(items: JsonObject) -> JsonObject:
    """Return the schema of a list."""
    return {"type": "array", "items": items} if items else {"type": "array"}


def objects(value: Json) -> list[JsonObject]:
    """Return the objects of a JSON list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: Json) -> JsonObject:
    """Return a JSON object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def strings(value: Json) -> list[str]:
    """Return the strings of a JSON list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def members(node: ast.ClassDef, *, lower: bool) -> list[Json]:
    """Return the values of an enumeration; `auto()` counts, or gives the lower-cased name."""
    values: list[Json] = []
    for item in node.body:
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            known, value = constant(item.value, {})
            automatic = item.targets[0].id.lower() if lower else len(values) + 1
            values.append(value if known else automatic)
    return values


def is_dataclass(node: ast.ClassDef) -> bool:
    """Return whether a class is decorated as a dataclass."""
    return any(_last_name(item) == "dataclass" for item in node.decorator_list)


def fields(node: ast.ClassDef) -> list[Field]:
    """Return the fields of a TypedDict or dataclass; `total=False`, NotRequired and defaults make them optional."""
    total = not any(item.arg == "total" and constant(item.value, {}) == (True, False) for item in node.keywords)
    return [
        Field(name=item.target.id, annotation=item.annotation, required=_required(item, total))
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    ]


def _required(item: ast.AnnAssign, total: bool) -> bool:
    marker = _last_name(item.annotation.value) if isinstance(item.annotation, ast.Subscript) else ""
    return item.value is None and (marker == "Required" or (total and marker != "NotRequired"))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
