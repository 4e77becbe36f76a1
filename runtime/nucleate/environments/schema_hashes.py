"""Hashes of environment functions' schemas, kept with each version, by which drift is seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from nucleate_sandbox import FunctionSpec, Json, JsonObject, canonical

_SAID = frozenset({"description", "title", "examples", "$comment"})
_NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties"})


def schema_hash(spec: FunctionSpec) -> str:
    """Return the hash of what a caller of the function depends on: parameters, result and effect, no documentation."""
    parts: JsonObject = {
        "parameters": _bare(spec.parameters),
        "returns": _bare(spec.returns),
        "effect": spec.effect.value,
    }
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def schema_hashes(functions: Mapping[str, FunctionSpec], names: Iterable[str]) -> JsonObject:
    """Return the hash of each of these functions that there is."""
    return {name: schema_hash(functions[name]) for name in names if name in functions}


def changed(
    stored: Mapping[str, Json], functions: Mapping[str, FunctionSpec], *, hashes: dict[str, str] | None = None
) -> list[str]:
    """Return the functions that are another one now, or gone. `hashes` keeps what was hashed, for the next version."""
    known = {} if hashes is None else hashes
    return [name for name, before in stored.items() if _now(name, functions, known) != before]


def told(name: str, before: FunctionSpec | None, after: FunctionSpec | None) -> str:
    """Say in words what became of a function."""
    if after is None:
        return f"{name} is gone"
    if before is None:
        return f"{name} changed"
    return f"{name} {', '.join(_differences(before, after)) or 'changed'}"


def _now(name: str, functions: Mapping[str, FunctionSpec], known: dict[str, str]) -> str | None:
    if name in functions and name not in known:
        known[name] = schema_hash(functions[name])
    return known.get(name)


def _differences(before: FunctionSpec, after: FunctionSpec) -> Iterator[str]:
    old, new = _parameters(before), _parameters(after)
    for name in sorted(old.keys() - new.keys()):
        yield f"lost its parameter {name!r}"
    for name in sorted(new.keys() - old.keys()):
        yield f"has a new parameter {name!r}"
    for name in sorted(old.keys() & new.keys()):
        if canonical(old[name]) != canonical(new[name]):
            yield f"takes another {name!r}"
    if _required(before) != _required(after) and old.keys() == new.keys():
        yield "requires other parameters"
    if canonical(_bare(before.returns)) != canonical(_bare(after.returns)):
        yield "returns something else"
    if before.effect != after.effect:
        yield f"was {before.effect.value} and is {after.effect.value}"


def _parameters(spec: FunctionSpec) -> dict[str, Json]:
    bare = _bare(spec.parameters)
    properties = bare.get("properties") if isinstance(bare, dict) else None
    return properties if isinstance(properties, dict) else {}


def _required(spec: FunctionSpec) -> list[str]:
    required = spec.parameters.get("required")
    return sorted(map(str, required)) if isinstance(required, list) else []


def _bare(schema: Json, *, names: bool = False) -> Json:
    """Return a schema without what only explains it; under `properties` every key is a name and stays."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if names or key not in _SAID}
    return {key: _bare(value, names=not names and key in _NAMED) for key, value in kept.items()}
