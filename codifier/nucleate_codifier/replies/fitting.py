"""Brings a value into the shape that a schema asks for, wherever only one reading is possible."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from nucleate_codifier.replies.call_shapes import calls_of
from nucleate_codifier.replies.loose_json import NoValue, loads

_WRAPPERS = ("response", "result", "output", "answer", "final", "arguments", "parameters", "input")


def readings(value: Any, schema: type[BaseModel]) -> Iterator[list[Any]]:
    """Yield what a value may mean, the likeliest first: each a list of objects, of which the first counts."""
    actions = actions_of(schema)
    if actions:
        yield [_turn(item, actions) for item in (value if isinstance(value, list) else [value])]
        return
    yield [value]
    if isinstance(value, dict):
        yield from ([value[key]] for key in _WRAPPERS if len(value) <= 3 and isinstance(value.get(key), dict))
    lists = [name for name, field in schema.model_fields.items() if _is_sequence(field.annotation)]
    if isinstance(value, list) and len(lists) == 1:
        yield [{lists[0]: value}]
    if isinstance(value, list):
        yield value


def actions_of(schema: type[BaseModel]) -> Mapping[str, type[BaseModel]]:
    """Return the actions of a schema whose replies are `{"thought": …, "action": {"do": …}}`, by their names."""
    field = schema.model_fields.get("action")
    return _tagged(field.annotation, "do") if field is not None else {}


def fitted(value: Any, kind: Any) -> Any:
    """Return a value brought to an annotation. Nothing is invented; what cannot be read is left to the schema."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return fitted(value, arguments[0])
    if origin in (Union, UnionType):
        return _of_union(value, arguments)
    if origin in (tuple, list):
        items = value if isinstance(value, list | tuple) else [] if value is None else [value]
        return [fitted(item, arguments[0]) for item in items]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _of_model(value, kind)
    if kind is str and isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if kind is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _turn(value: Any, actions: Mapping[str, type[BaseModel]]) -> Any:
    """Return `{"thought", "action"}` for an action that stands bare, beside its thought, by its name or as a call."""
    if not isinstance(value, dict):
        return value
    inner = [value[key] for key in _WRAPPERS if isinstance(value.get(key), dict)]
    if len(inner) == len(value) == 1:
        return _turn(inner[0], actions)
    action, rest = value.get("action"), {key: item for key, item in value.items() if key not in ("action", "thought")}
    if isinstance(action, str):
        try:
            action = loads(action)
        except NoValue:
            action = {**_given(rest), "do": action}
    elif action is None:
        action = rest if "do" in rest else _called(value, actions)
    if isinstance(action, dict) and "do" not in action:
        action = _called(action, actions)
    return {"thought": str(value.get("thought") or ""), "action": action}


def _given(rest: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an action that is named beside them, or in an object of arguments."""
    inner = next((rest[key] for key in ("action_input", *_WRAPPERS) if isinstance(rest.get(key), dict)), None)
    return inner if inner is not None else rest


def _called(value: dict[str, Any], actions: Mapping[str, type[BaseModel]]) -> Any:
    for key in ("type", "action", "action_type", "name", "tool"):
        if value.get(key) in actions and not calls_of(value):
            return {**{name: item for name, item in value.items() if name != key}, "do": value[key]}
    for call in calls_of(value)[:1]:
        return {**call.arguments, "do": call.name}
    named = [key for key in value if key in actions]
    if len(named) == 1 and isinstance(value[named[0]], dict):
        return {**value[named[0]], "do": named[0]}
    return value


def _of_union(value: Any, options: tuple[Any, ...]) -> Any:
    if value is None and NoneType in options:
        return None
    rest = [option for option in options if option is not NoneType]
    for key in ("do", "kind"):
        named = {name: option for option in rest for name in _literals(option, key)}
        if named and isinstance(value, dict):
            option = named.get(str(value.get(key)))
            return value if option is None else fitted(value, option)
    return fitted(value, rest[0]) if len(rest) == 1 else value


def _of_model(value: Any, model: type[BaseModel]) -> Any:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = loads(value)
        except NoValue:
            return value
    fields = model.model_fields
    if not isinstance(value, dict):
        needed = [name for name, field in fields.items() if field.is_required()]
        return {needed[0]: fitted(value, fields[needed[0]].annotation)} if len(needed) == 1 else value
    # A key that the schema does not know says nothing; an optional field that is null was not given.
    return {
        name: fitted(value[name], field.annotation)
        for name, field in fields.items()
        if name in value and not (value[name] is None and not field.is_required())
    }


def _tagged(kind: Any, key: str) -> dict[str, type[BaseModel]]:
    options = get_args(kind) if get_origin(kind) in (Union, UnionType, Annotated) else (kind,)
    return {name: option for option in options for name in _literals(option, key)}


def _literals(option: Any, key: str) -> tuple[str, ...]:
    field = option.model_fields.get(key) if isinstance(option, type) and issubclass(option, BaseModel) else None
    return get_args(field.annotation) if field is not None and get_origin(field.annotation) is Literal else ()


def _is_sequence(kind: Any) -> bool:
    return get_origin(get_args(kind)[0] if get_origin(kind) is Annotated else kind) in (list, tuple)
