"""`typing.TypedDict` classes in the form that pydantic reads on every supported Python."""

from __future__ import annotations

import sys
import types
import typing
from typing import Any, get_args, get_origin

import typing_extensions

_UNION = typing.Union
_NEW: Any = typing_extensions.TypedDict


def portable(annotation: Any) -> Any:
    """Return the annotation with the standard library's typed dictionaries rebuilt; all else stays as it is.

    Pydantic refuses `typing.TypedDict` before Python 3.12, since its required keys are not readable there for
    every inheritance. A typed dictionary that holds itself stays refused.
    """
    return annotation if sys.version_info >= (3, 12) else _rebuilt(annotation, ())


def _rebuilt(annotation: Any, inside: tuple[Any, ...]) -> Any:
    if typing.is_typeddict(annotation) and annotation not in inside:
        return _typed_dict(annotation, (*inside, annotation))
    arguments = get_args(annotation)
    if not arguments or get_origin(annotation) is typing.Literal:
        return annotation
    changed = tuple(_rebuilt(argument, inside) for argument in arguments)
    if changed == arguments:
        return annotation
    if get_origin(annotation) in (_UNION, types.UnionType):
        return _UNION[changed]
    return get_origin(annotation)[changed if len(changed) > 1 else changed[0]]


def _typed_dict(annotation: Any, inside: tuple[Any, ...]) -> Any:
    # Under postponed annotations `__required_keys__` cannot see NotRequired, so the hints have the first word.
    hints = typing.get_type_hints(annotation, include_extras=True)
    fields = {key: _field(value, key in annotation.__required_keys__, inside) for key, value in hints.items()}
    return _NEW(annotation.__name__, fields)


def _field(value: Any, required: bool, inside: tuple[Any, ...]) -> Any:
    origin = get_origin(value)
    if origin in (typing.NotRequired, typing.Required):
        required, value = origin is typing.Required, get_args(value)[0]
    rebuilt = _rebuilt(value, inside)
    return rebuilt if required else typing_extensions.NotRequired[rebuilt]
