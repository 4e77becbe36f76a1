"""Arguments as a model wrote them, turned back into what the tool is called with, and checked by its own schema."""

from __future__ import annotations

from typing import Any, cast

from nucleate.exports.schemas.references import target, validator
from nucleate.exports.schemas.schema_values import Described, branches, mapping, objects, strings
from nucleate_sandbox import FunctionSpec, Json, JsonObject
from nucleate_sandbox.arguments import problems


def restored(arguments: JsonObject, parameters: JsonObject) -> JsonObject:
    """Return the arguments without every null that says "use the default": its key is optional and takes no null."""
    found = _Restoring(parameters).of(arguments, parameters)
    return found if isinstance(found, dict) else arguments


def faults(tool: Described, arguments: JsonObject) -> tuple[str, ...]:
    """Return each reason why restored arguments do not fit a tool."""
    return problems(FunctionSpec(name=tool.name, parameters=tool.parameters), arguments)


class _Restoring:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._validator = validator(root)

    def of(self, value: Json, schema: JsonObject) -> Json:
        if not isinstance(value, list | dict):
            return value
        schema = target(schema, self._root)
        if alternatives := branches(schema):
            return self._alternative(value, alternatives)
        for part in objects(schema.get("allOf")):
            value = self.of(value, part)
        return self._list(value, schema) if isinstance(value, list) else self._object(value, schema)

    def _alternative(self, value: Json, alternatives: list[JsonObject]) -> Json:
        """Restore by the first alternative that the outcome fits."""
        for schema in alternatives:
            candidate = self.of(value, schema)
            if self._fits(candidate, schema):
                return candidate
        return value

    def _object(self, value: Json, schema: JsonObject) -> Json:
        if not isinstance(value, dict):
            return value
        properties, required = mapping(schema.get("properties")), strings(schema.get("required"))
        others = mapping(schema.get("additionalProperties"))
        found: JsonObject = {}
        for name, item in value.items():
            own = mapping(properties.get(name, others))
            if item is None and name in properties and name not in required and not self._fits(None, own):
                continue
            found[name] = self.of(item, own)
        return found

    def _list(self, value: list[Json], schema: JsonObject) -> Json:
        prefix, rest = objects(schema.get("prefixItems")), mapping(schema.get("items"))
        schemas = [*prefix, *[rest] * (len(value) - len(prefix))]
        return [self.of(item, own) for item, own in zip(value, schemas, strict=False)] + value[len(schemas) :]

    def _fits(self, value: Json, schema: JsonObject) -> bool:
        return self._validator.evolve(schema=cast("dict[str, Any]", schema)).is_valid(value)
