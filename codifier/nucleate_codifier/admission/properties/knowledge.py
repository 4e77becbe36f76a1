"""What the evidence says a parameter may be: values that the environment has shown, and its functions' schemas.

Random texts reach no further than "not found". An id that the environment itself named reaches the code behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nucleate_codifier.values import Example
from nucleate_sandbox import Call, FunctionSpec, Json, JsonObject, canonical

MAX_VALUES = 40


def known_values(name: str, examples: Sequence[Example]) -> list[Json]:
    """Return values that stand in the recorded calls wherever values of this parameter stood, each once."""
    places = [place for example in examples for call in example.calls for place in _places(call)]
    given = _given(name, examples) | {canonical(value) for key, value in places if key == name}
    kinds = {key for key, value in places if key == name or (_tells(value) and canonical(value) in given)}
    found = {canonical(value): value for key, value in places if key in kinds}
    return [*found.values()][:MAX_VALUES]


def known_schemas(
    name: str, examples: Sequence[Example], functions: Mapping[str, FunctionSpec]
) -> tuple[JsonObject, ...]:
    """Return the schemas of the environment's parameters that values of this parameter were given to, each once."""
    given = _given(name, examples)
    found: dict[str, JsonObject] = {}
    for call in (call for example in examples for call in example.calls if call.function in functions):
        properties = functions[call.function].parameters.get("properties")
        for key, value in call.arguments.items():
            schema = properties.get(key) if isinstance(properties, dict) else None
            if isinstance(schema, dict) and (key == name or (_tells(value) and canonical(value) in given)):
                found.setdefault(canonical(schema), schema)
    return tuple(found.values())


def _given(name: str, examples: Sequence[Example]) -> set[str]:
    return {canonical(example.arguments[name]) for example in examples if name in example.arguments}


def _tells(value: Json) -> bool:
    """Truth values and small numbers are equal by chance; they say nothing about where a value came from."""
    return not isinstance(value, bool) and value is not None and (isinstance(value, str) or value not in range(-10, 11))


def _places(call: Call) -> Iterator[tuple[str, Json]]:
    for key, value in call.arguments.items():
        yield from _scalars(key, value)
    yield from _scalars("", call.result)


def _scalars(key: str, value: Json) -> Iterator[tuple[str, Json]]:
    match value:
        case dict():
            for inner, item in value.items():
                yield from _scalars(inner, item)
        case list():
            for item in value:
                yield from _scalars(key, item)
        case None:
            return
        case _:
            yield key, value
