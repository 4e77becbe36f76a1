"""What became of an environment's functions since they were last seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nucleate.environments.schema_hashes import schema_hash, told
from nucleate_sandbox import FunctionSpec


@dataclass(frozen=True, kw_only=True)
class Drift:
    """The functions that are new, gone or another now: parameters, result or effect; words alone are no drift.

    `reasons` says of each that is gone or another what became of it. False where nothing changed.
    """

    environment: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def touched(self) -> tuple[str, ...]:
        """Return the functions whose callers can no longer rely on them."""
        return (*self.removed, *self.changed)

    def __bool__(self) -> bool:
        return bool(self.added or self.touched)


def difference(environment: str, before: Mapping[str, FunctionSpec], after: Mapping[str, FunctionSpec]) -> Drift:
    """Compare what was known of an environment's functions with what it has now."""
    removed = tuple(sorted(before.keys() - after.keys()))
    both = sorted(before.keys() & after.keys())
    changed = tuple(name for name in both if schema_hash(before[name]) != schema_hash(after[name]))
    return Drift(
        environment=environment,
        added=tuple(sorted(after.keys() - before.keys())),
        removed=removed,
        changed=changed,
        reasons={name: told(name, before[name], after.get(name)) for name in (*removed, *changed)},
    )
