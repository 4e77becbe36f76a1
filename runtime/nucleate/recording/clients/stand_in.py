"""An object with some of its members replaced; everything else, and what it claims to be, stays the original's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any


class StandIn:
    """Passes every attribute on, but for the replaced ones; `isinstance` sees the original's class."""

    def __init__(self, target: Any, replaced: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_target", target)
        object.__setattr__(self, "_replaced", dict(replaced))

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(object.__getattribute__(self, "_target"))

    def __getattr__(self, name: str) -> Any:
        replaced = object.__getattribute__(self, "_replaced")
        return replaced[name] if name in replaced else getattr(object.__getattribute__(self, "_target"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_target"), name, value)

    def __repr__(self) -> str:
        return f"<recorded {object.__getattribute__(self, '_target')!r}>"

    def __enter__(self) -> Any:
        self._target.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._target.__exit__(*error)

    async def __aenter__(self) -> Any:
        await self._target.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._target.__aexit__(*error)


def replaced(target: Any, by: Callable[[Any], Any], *names: str) -> dict[str, Any]:
    """Return what goes in place of a target's methods; older packages do not have all of them."""
    return {name: by(getattr(target, name)) for name in names if hasattr(target, name)}


def fingerprint(value: Any) -> str:
    """Return one text for equal values, whatever is in them: recording must never be what a request fails by."""
    return json.dumps(value, sort_keys=True, default=str)


def plain(value: Any) -> Any:
    """Return a client's object as plain JSON, without what is not set."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True, exclude_unset=True, warnings=False)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
