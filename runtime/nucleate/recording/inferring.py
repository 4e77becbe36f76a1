"""What functions take and give, inferred from recorded calls where nobody described them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject, canonical
from nucleate_text_memory import Step
from nucleate_text_memory.recordings.answers.answering import SHELLS
from nucleate_text_memory.recordings.shell.shell_steps import NAMESPACE

MARK = "Inferred from recorded calls."
_DEPTH = 4  # deeper values are described as anything
_FIELDS = 60  # an object with more keys is a table, whose keys are data

_READS = frozenset(
    ("Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoRead", "BashOutput", "TaskOutput")
) | {"read_file", "list_dir", "grep_files", "view_image", "web_search", "list_mcp_resources", "read_mcp_resource"}
_READS |= {"read", "grep", "glob", "list", "webfetch", "read_many_files", "search_file_content", "google_web_search"}
# What these do is up to the text that they are given: nothing of it can be foreseen.
_ANYTHING = frozenset(("KillShell", "KillBash", "write_stdin", "exec", *SHELLS))


class Inferred:
    """Functions of one environment, as far as calls show them; a function that somebody described stays as it is."""

    def __init__(self, known: Mapping[str, FunctionSpec]) -> None:
        self.functions = dict(known)
        self._new: set[str] = set()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the functions that calls have told something about."""
        return tuple(sorted(self._new))

    def see(self, steps: Iterable[Step]) -> None:
        """Learn from calls; a call that failed tells nothing of what the function takes."""
        for step in steps:
            spec = self.functions.get(step.function)
            if "." in step.function and step.error is None and (spec is None or is_inferred(spec)):
                self.functions[step.function] = _seen(step, spec)
                self._new.add(step.function)


def is_inferred(spec: FunctionSpec) -> bool:
    """Return whether nobody has described the function: its schema bears the mark as a comment."""
    return spec.parameters.get("$comment") == MARK


def _seen(step: Step, known: FunctionSpec | None) -> FunctionSpec:
    takes, gives = _described(step.arguments, _DEPTH), _described(step.result, _DEPTH)
    if known is None:
        known = FunctionSpec(name=step.function, parameters=takes, returns=gives, effect=_effect(step.function))
    return replace(
        known,
        parameters={"$comment": MARK, **_joined(known.parameters, takes)},
        returns=_joined(known.returns, gives),
    )


def _effect(function: str) -> Effect:
    """Return what a coding agent's well-known tool does; every other function may write."""
    namespace, _, name = function.rpartition(".")
    if namespace == NAMESPACE:
        return Effect.DESTRUCTIVE
    if name in _READS:
        return Effect.READ
    return Effect.DESTRUCTIVE if name in _ANYTHING else Effect.WRITE


def _described(value: Json, depth: int) -> JsonObject:
    if isinstance(value, dict):
        if depth == 0 or len(value) > _FIELDS:
            return {"type": "object", "properties": {}}
        fields: JsonObject = {name: _described(item, depth - 1) for name, item in value.items()}
        return {"type": "object", "properties": fields, "required": list[Json](sorted(value))}
    if isinstance(value, list):
        items: JsonObject = {}
        for number, item in enumerate(value[:_FIELDS] if depth else ()):
            items = _joined(items, _described(item, depth - 1)) if number else _described(item, depth - 1)
        return {"type": "array", "items": items}
    return {"type": _TYPES[type(value)]}


_TYPES: Mapping[type, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def _joined(first: JsonObject, second: JsonObject) -> JsonObject:
    """Return a schema of what either of two describes; {} describes anything."""
    if first == second or not first:
        return first
    if not second:
        return second
    kinds = first.get("type"), second.get("type")
    if kinds == ("object", "object"):
        return _joined_objects(first, second)
    if kinds == ("array", "array"):
        return {"type": "array", "items": _joined(_schema(first, "items"), _schema(second, "items"))}
    if set(kinds) == {"integer", "number"}:
        return {"type": "number"}
    return _either(first, second)


def _joined_objects(first: JsonObject, second: JsonObject) -> JsonObject:
    left, right = _schema(first, "properties"), _schema(second, "properties")
    fields: JsonObject = {
        name: _joined(_schema(left, name), _schema(right, name))
        if name in left and name in right
        else left.get(name, right.get(name))
        for name in {**left, **right}
    }
    always = set(cast("list[str]", first.get("required", []))) & set(cast("list[str]", second.get("required", [])))
    return {"type": "object", "properties": fields, "required": list[Json](sorted(always))}


def _either(first: JsonObject, second: JsonObject) -> JsonObject:
    """Return a choice between two kinds, each of them there once."""
    choices: dict[str, JsonObject] = {}
    for schema in (*_choices(first), *_choices(second)):
        kind = str(schema.get("type"))
        choices[kind] = _joined(choices[kind], schema) if kind in choices else schema
    ordered = sorted(choices.values(), key=canonical)
    return ordered[0] if len(ordered) == 1 else {"anyOf": list[Json](ordered)}


def _choices(schema: JsonObject) -> list[JsonObject]:
    return cast("list[JsonObject]", schema["anyOf"]) if "anyOf" in schema else [schema]


def _schema(schema: JsonObject, name: str) -> JsonObject:
    return cast("JsonObject", schema.get(name) or {})
