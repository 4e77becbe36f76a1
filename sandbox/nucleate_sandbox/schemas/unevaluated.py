"""`unevaluatedProperties` and `unevaluatedItems`: which parts of a value no other keyword has looked at.

Source: JSON Schema 2020-12 core, section 11. Places are walked once each, and every one is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from nucleate_sandbox.schemas.budget import CURRENT, STEP
from nucleate_sandbox.schemas.keywords import found_in, unexpected


def unevaluated_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Hold the properties that nothing else has looked at to a schema of their own."""
    if not validator.is_type(instance, "object"):
        return
    seen = _Walk(instance).keys(validator, schema, own=True)
    left = [name for name in instance if name not in seen]
    failed = [name for name in left if any(True for _ in validator.descend(instance[name], value))]
    if failed:
        yield unexpected("Unevaluated", failed)


def unevaluated_items(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Hold the items that nothing else has looked at to a schema of their own."""
    if not validator.is_type(instance, "array"):
        return
    seen = _Walk(instance).keys(validator, schema, own=True)
    for index, item in enumerate(instance):
        if index not in seen and any(True for _ in validator.descend(item, value)):
            yield ValidationError(f"Unevaluated items are not allowed (item number {index + 1} was unexpected)")
            return


class _Walk:
    """Collects names or indexes of one value over every schema that applies to it at its place."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance
        self._been: set[int] = set()

    def keys(self, validator: Any, schema: Any, *, own: bool = False) -> set[Any]:
        """Return what the schema looks at; `own` leaves out the keyword that asks."""
        CURRENT.get().spend(STEP)
        if not isinstance(schema, dict) or id(schema) in self._been:
            return set()
        self._been.add(id(schema))
        found = self._names(schema, own) if isinstance(self._instance, dict) else self._places(validator, schema, own)
        for inner, applies in self._applied(validator, schema):
            found |= self.keys(inner, applies)
        return found

    def _names(self, schema: Any, own: bool) -> set[Any]:
        found = {name for name in schema.get("properties", {}) if name in self._instance}
        for pattern in schema.get("patternProperties", {}):
            found |= {name for name in self._instance if found_in(pattern, name, undecided=True)}
        words = ("additionalProperties",) if own else ("additionalProperties", "unevaluatedProperties")
        return found | set(self._instance) if any(word in schema for word in words) else found

    def _places(self, validator: Any, schema: Any, own: bool) -> set[Any]:
        if "items" in schema or ("unevaluatedItems" in schema and not own):
            return set(range(len(self._instance)))
        found = set(range(len(schema.get("prefixItems", []))))
        if "contains" in schema:
            found |= {n for n, item in enumerate(self._instance) if _fits(validator, item, schema["contains"])}
        return found

    def _applied(self, validator: Any, schema: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the schemas beside this one that apply to the value, each with the validator of its place."""
        for word in ("$ref", "$dynamicRef"):
            if word in schema:
                yield from _referred(validator, schema[word])
        for word in ("allOf", "anyOf", "oneOf"):
            for part in schema.get(word, []):
                if _fits(validator, self._instance, part):
                    yield validator, part
        for name, part in schema.get("dependentSchemas", {}).items():
            if name in self._instance:
                yield validator, part
        if "if" in schema:
            yield from self._conditional(validator, schema)

    def _conditional(self, validator: Any, schema: Any) -> Iterator[tuple[Any, Any]]:
        fits = _fits(validator, self._instance, schema["if"])
        if fits:
            yield validator, schema["if"]
        yield validator, schema.get("then" if fits else "else", True)


def _referred(validator: Any, reference: str) -> Iterator[tuple[Any, Any]]:
    try:
        # The library tells a keyword where it stands by this attribute alone.
        found = validator._resolver.lookup(reference)  # noqa: SLF001
    except Unresolvable:
        return
    yield validator.evolve(schema=found.contents, _resolver=found.resolver), found.contents


def _fits(validator: Any, value: Any, schema: Any) -> bool:
    return not any(True for _ in validator.descend(value, schema))
