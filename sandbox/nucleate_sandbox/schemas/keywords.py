"""The keywords of draft 2020-12 whose work the library does not bound, each with the same meaning in bounded work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from nucleate_sandbox.json_values import Json, canonical
from nucleate_sandbox.schemas.budget import CURRENT, STEP, copies, first
from nucleate_sandbox.schemas.matching import MAX_HERE, Undecided, matches

Keyword: TypeAlias = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]
TIMED_OUT = 100_000
MAX_NAMED = 20
MICROSECOND = 200  # states times characters that the linear engine walks in one
REMEMBERED = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"})


def bounded(word: str, keyword: Keyword) -> Keyword:
    """Return the keyword with its work counted, and where it branches, done once for one value at one place."""
    found = _remembered(keyword) if word in REMEMBERED else keyword

    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        budget = CURRENT.get()
        budget.spend(STEP + (len(value) if isinstance(value, list | dict) else 0))
        for error in found(validator, value, instance, schema) or ():
            budget.spend_message(instance)
            yield error

    return check


def _remembered(keyword: Keyword) -> Keyword:
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        memory, key = CURRENT.get().memory, (id(value), id(instance))
        if key not in memory:
            memory[key] = None  # a reference that leads back here adds nothing
            memory[key] = _errors(keyword, validator, value, instance, schema)
        yield from copies(memory[key] or [])

    return check


def _errors(keyword: Keyword, validator: Any, value: Any, instance: Any, schema: Any) -> list[ValidationError]:
    try:
        return first(keyword(validator, value, instance, schema))
    except Unresolvable as error:
        CURRENT.get().skip(f"$ref: {str(error)[:120]} leads nowhere")
        return []


def found_in(pattern: str, text: str, *, undecided: bool) -> bool:
    """Tell whether a text matches; what no engine can say within its bound is noted, and counts as `undecided`."""
    budget = CURRENT.get()
    try:
        told = matches(pattern, text)
    except Undecided as error:
        budget.skip(f"pattern {pattern[:60]!r}: {error}")
        budget.spend(TIMED_OUT)
        return undecided
    budget.spend(min(len(pattern) * len(text), MAX_HERE) // MICROSECOND)
    return told


def _pattern(validator: Any, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not found_in(value, instance, undecided=True):
        yield ValidationError(f"{instance!r} does not match {value!r}")


def _pattern_properties(validator: Any, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        for pattern, schema in value.items():
            for name in instance:
                if found_in(pattern, name, undecided=False):
                    yield from validator.descend(instance[name], schema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    extras = [name for name in instance if not _named(name, schema)]
    if isinstance(value, dict):
        for name in extras:
            yield from validator.descend(instance[name], value, path=name)
    elif value is False and extras:
        yield unexpected("Additional", extras)


class Unexpected(Exception):
    """The cause of an error: properties that a schema does not allow."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = names


def unexpected(which: str, names: Sequence[str]) -> ValidationError:
    """Return the error that these properties are."""
    named, more = ", ".join(map(repr, names[:MAX_NAMED])), len(names) - MAX_NAMED
    shown = f"{named} and {more} more" if more > 0 else named
    verb = "was" if len(names) == 1 else "were"
    message = f"{which} properties are not allowed ({shown} {verb} unexpected)"
    return ValidationError(message, cause=Unexpected(names))


def _named(name: str, schema: Mapping[str, Any]) -> bool:
    CURRENT.get().spend(1)
    # What nobody can decide must not be refused: the schema may well allow it.
    return name in schema.get("properties", {}) or any(
        found_in(pattern, name, undecided=True) for pattern in schema.get("patternProperties", {})
    )


def _unique_items(validator: Any, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if value and validator.is_type(instance, "array"):
        CURRENT.get().spend(CURRENT.get().size(instance) // 10)
        if len({canonical(_same(item)) for item in instance}) < len(instance):
            yield ValidationError(f"{instance!r} has non-unique elements")


def _same(value: Json) -> Json:
    """Return the value with whole numbers as integers: to JSON schemas 1.0 and 1 are one value."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_same(item) for item in value]
    return {name: _same(item) for name, item in value.items()} if isinstance(value, dict) else value


def _multiple_of(validator: Any, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    # In decimals, as they were written: 0.3 is a multiple of 0.1, and no number is too large.
    if validator.is_type(instance, "number") and (Fraction(repr(instance)) / Fraction(repr(value))).denominator != 1:
        yield ValidationError(f"{instance!r} is not a multiple of {value!r}")


OWN: Mapping[str, Keyword] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
}
LIBRARY: Mapping[str, Keyword] = dict(Draft202012Validator.VALIDATORS)
