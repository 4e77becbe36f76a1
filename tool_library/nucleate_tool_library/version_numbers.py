"""Semantic numbers: how far a version is from the one before it, as its callers see it."""

from __future__ import annotations

from enum import IntEnum

from nucleate_tool_library.values import Json, JsonObject, Signature

_NAMED = frozenset({"properties", "$defs"})
_LISTED = frozenset({"anyOf", "allOf", "oneOf", "prefixItems"})
_NESTED = frozenset({"items", "additionalProperties"})
_WORDS = frozenset({"description", "title"})


class VersionStep(IntEnum):
    """Which part of the number a change counts up. Whoever calls a tool can follow a minor step or a patch unread."""

    MAJOR = 0
    MINOR = 1
    PATCH = 2


def step(before: Signature, after: Signature, *, same_reach: bool) -> VersionStep:
    """Return PATCH for the same signature and reach, MINOR for nothing but new optional parameters, else MAJOR.

    Reach is what a call can lead to: the tools and environment functions of the closure. A signature is its
    schemas without their words, since a caller does not break on a better description.
    """
    old, new = _contract(before), _contract(after)
    if not same_reach or old["rest"] != new["rest"]:
        return VersionStep.MAJOR
    if old["parameters"] == new["parameters"]:
        return VersionStep.PATCH
    return VersionStep.MINOR if _only_adds(old["parameters"], new["parameters"]) else VersionStep.MAJOR


def next_release(release: str, by: VersionStep) -> str:
    """Return the number after this one: `next_release("1.4.2", Step.MINOR)` is "1.5.0"."""
    parts = [int(part) for part in release.split(".")]
    counted = [*parts[:by], parts[by] + 1, *([0] * (2 - by))]
    return ".".join(map(str, counted))


def _contract(signature: Signature) -> dict[str, Json]:
    """Return a signature's parameters, and apart from them all else that a caller relies on."""
    shape = _bare(signature.parameters)
    whole: JsonObject = shape if isinstance(shape, dict) else {}
    others: JsonObject = {key: value for key, value in whole.items() if key not in ("properties", "required")}
    required = whole.get("required")
    needed: list[Json] = sorted(required, key=str) if isinstance(required, list) else []
    awaited = signature.text.startswith("async ")
    return {"parameters": whole.get("properties"), "rest": [others, needed, _bare(signature.returns), awaited]}


def _only_adds(old: Json, new: Json) -> bool:
    """Return whether every old parameter is there unchanged; that the new ones are optional was compared already."""
    return isinstance(old, dict) and isinstance(new, dict) and all(new.get(name) == old[name] for name in old)


def _bare(schema: Json) -> Json:
    if not isinstance(schema, dict):
        return schema
    return {key: _bare_part(key, value) for key, value in schema.items() if key not in _WORDS}


def _bare_part(key: str, value: Json) -> Json:
    if key in _NAMED and isinstance(value, dict):
        return {name: _bare(item) for name, item in value.items()}
    if key in _LISTED and isinstance(value, list):
        return [_bare(item) for item in value]
    return _bare(value) if key in _NESTED else value
