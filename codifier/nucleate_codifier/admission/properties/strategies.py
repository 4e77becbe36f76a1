"""Arguments for a tool, made from its parameters' JSON schema: known values, edges, hints and new ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nucleate_codifier.admission.properties.texts import text_of
from nucleate_sandbox import Json, JsonObject, canonical

Strategy: TypeAlias = st.SearchStrategy[Any]

# Small bounds on purpose: a property is about the tool's logic, not about how far a loop can count.
LARGEST = 1000
MAX_ITEMS = 4
EDGES: tuple[Json, ...] = (0, 1, -1, "", [])


@dataclass(frozen=True, kw_only=True)
class ParameterKnowledge:
    """What may matter for one parameter: values that were seen, and schemas that its values had to meet elsewhere."""

    values: Sequence[Json] = ()
    schemas: Sequence[JsonObject] = ()


def arguments(
    parameters: JsonObject,
    recorded: Sequence[JsonObject] = (),
    hints: Sequence[Json] = (),
    known: Mapping[str, ParameterKnowledge] | None = None,
) -> Strategy:
    """Return a strategy for whole argument objects: new ones, and recorded ones with some parameters changed.

    `hints` are values that may matter to the tool, such as the literals that it compares with.
    """
    properties, names = _object(parameters.get("properties")), _list(parameters.get("required"))
    about = known or {}
    made = {
        name: _parameter(_object(schema), [item[name] for item in recorded if name in item], hints, about.get(name))
        for name, schema in properties.items()
    }
    fresh = st.fixed_dictionaries(
        {name: strategy for name, strategy in made.items() if name in names},
        optional={name: strategy for name, strategy in made.items() if name not in names},
    )
    if not recorded:
        return fresh
    changed = st.builds(_merged, st.sampled_from(recorded), st.fixed_dictionaries({}, optional=made))
    return st.one_of(changed, fresh)


def _merged(base: JsonObject, changes: JsonObject) -> JsonObject:
    return {**base, **changes}


def _parameter(
    schema: JsonObject, recorded: Sequence[Json], hints: Sequence[Json], known: ParameterKnowledge | None
) -> Strategy:
    fits = _fits(schema)
    about = known or ParameterKnowledge()
    pools = [
        [*{canonical(value): value for value in recorded}.values()],
        [value for value in about.values if fits(value)],
        [hint for hint in (*EDGES, *hints) if fits(hint)],
    ]
    elsewhere = [values_of(item).filter(fits) for item in about.schemas if _says_more(item, schema)]
    return st.one_of([*(st.sampled_from(pool) for pool in pools if pool), *elsewhere, values_of(schema)])


def _fits(schema: JsonObject) -> Callable[[Json], bool]:
    """Return a check of values; JSON Schema takes 1.0 for an integer, a tool that slices with it does not."""
    valid = Draft202012Validator(schema).is_valid

    def fits(value: Json) -> bool:
        return valid(value) and not (isinstance(value, float) and not (valid(value + 0.5) or valid(value - 0.5)))

    return fits


def _says_more(other: JsonObject, schema: JsonObject) -> bool:
    """A schema that is no narrower makes nothing new."""
    words = ("enum", "const", "format", "pattern", "minimum", "maximum", "minLength", "properties", "items")
    return any(word in other and other.get(word) != schema.get(word) for word in words)


def values_of(schema: JsonObject) -> Strategy:
    """Return a strategy for the JSON values of a schema; what it does not know is any small JSON value."""
    if "const" in schema:
        return st.just(schema["const"])
    if _list(schema.get("enum")):
        return st.sampled_from(_list(schema["enum"]))
    for key in ("anyOf", "oneOf"):
        if _list(schema.get(key)):
            return st.one_of([values_of(_object(item)) for item in _list(schema[key])])
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of([values_of({**schema, "type": item}) for item in kind])
    return _typed(kind, schema)


def _typed(kind: Json, schema: JsonObject) -> Strategy:
    match kind:
        case "string":
            return text_of(schema)
        case "integer":
            low, high = _range(schema, 1)
            return st.integers(int(low), int(high)).map(_multiple(schema))
        case "number":
            low, high = _range(schema, 0.01)
            return st.floats(low, high, allow_nan=False).map(lambda value: round(value, 2) + 0.0)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            return _array(schema)
        case "object":
            return _mapping(schema)
    return st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | text_of({})


def _range(schema: JsonObject, step: float) -> tuple[float, float]:
    """Return bounds that exist and are in order, whatever the schema leaves out."""
    low, high = (_number(schema.get(key)) for key in ("minimum", "maximum"))
    above, below = (_number(schema.get(f"exclusive{key}")) for key in ("Minimum", "Maximum"))
    low = low if low is not None else above + step if above is not None else None
    high = high if high is not None else below - step if below is not None else None
    if low is None:
        low = -LARGEST if high is None else min(-LARGEST, high - LARGEST)
    if high is None:
        high = max(LARGEST, low + LARGEST)
    return low, max(low, high)


def _multiple(schema: JsonObject) -> Any:
    factor = _number(schema.get("multipleOf"))
    return (lambda value: value) if not factor else (lambda value: int(value // factor * factor))


def _array(schema: JsonObject) -> Strategy:
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list):
        return st.tuples(*(values_of(_object(item)) for item in prefix)).map(list)
    unique = canonical if schema.get("uniqueItems") else None
    least = int(_number(schema.get("minItems")) or 0)
    most = min(int(_number(schema.get("maxItems")) or MAX_ITEMS), max(least, MAX_ITEMS))
    return st.lists(values_of(_object(schema.get("items"))), min_size=least, max_size=most, unique_by=unique)


def _mapping(schema: JsonObject) -> Strategy:
    if "properties" in schema:
        return arguments(schema)
    inner = values_of(_object(schema.get("additionalProperties")))
    return st.dictionaries(text_of({}), inner, max_size=MAX_ITEMS)


def _number(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
