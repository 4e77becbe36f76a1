"""A method as a function that an agent may call: what it takes and gives, and the check of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from nucleate_sandbox import Effect, FunctionError, Json, JsonError, JsonObject, canonical


@dataclass(frozen=True, kw_only=True)
class Method:
    """What one method takes and gives. `accepts_any` is true where it has `**keywords`."""

    attribute: str
    doc: str
    parameters: JsonObject
    returns: JsonObject
    effect: Effect
    adapters: Mapping[str, TypeAdapter[Any]]
    positional: tuple[str, ...]
    required: frozenset[str]
    accepts_any: bool

    def bind(self, arguments: Mapping[str, Json]) -> tuple[list[object], dict[str, object]]:
        """Return typed positional and keyword arguments; every wrong one is named in the FunctionError."""
        problems = [*self._missing(arguments), *self._unknown(arguments)]
        typed: dict[str, object] = {name: value for name, value in arguments.items() if name not in self.adapters}
        for name in self.adapters.keys() & arguments.keys():
            try:
                typed[name] = self.adapters[name].validate_json(canonical(arguments[name]).encode(), strict=True)
            except ValidationError as error:
                problems += _complaints(name, error)
            except (JsonError, UnicodeError) as error:
                problems.append(f"{name!r} is not JSON: {error}")
        if problems:
            raise FunctionError("; ".join(sorted(problems)), kind="InvalidArguments")
        positional = [typed.pop(name) for name in self.positional if name in typed]
        return positional, typed

    def _missing(self, arguments: Mapping[str, Json]) -> Iterator[str]:
        return (f"{name!r} is missing" for name in self.required - arguments.keys())

    def _unknown(self, arguments: Mapping[str, Json]) -> Iterator[str]:
        unknown = () if self.accepts_any else arguments.keys() - self.adapters.keys()
        return (f"{name!r} is not a parameter; it takes {', '.join(self.adapters) or 'none'}" for name in unknown)


def _complaints(name: str, error: ValidationError) -> Iterator[str]:
    for item in error.errors(include_url=False, include_context=False):
        place = "".join(f"[{step!r}]" for step in item["loc"])
        text = repr(item["input"])
        shown = text if len(text) <= 80 else f"{text[:77]}..."
        yield f"{name}{place}={shown}: {item['msg']}"
