"""The loop that every driver runs: one JSON order a line in, one JSON answer a line out. Needs Python alone."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any


class Worlds:
    """Worlds by number. A driver says how to start one, call in one, copy one, and what changed in one."""

    def __init__(self, domains: Any) -> None:
        self.domains = domains
        self.worlds: dict[int, Any] = {}
        self.next = 0

    def functions(self, domain: str) -> Any:
        """Return the specifications of a domain's functions."""
        return self.domains.functions(domain)

    def returns(self, domain: str) -> Any:
        """Return name → JSON schema of what each of a domain's functions returns, where its results are structured."""
        return {name: inlined(schema) for name, schema in self.domains.returns(domain).items()}

    def entities(self, domain: str) -> Any:
        """Return keys and unique values of a domain's rows."""
        return sorted(self.domains.entities(domain))

    def start(self, domain: str, task: Any) -> int:
        """Start the world of a task."""
        return self._keep(self.domains.start(domain, task))

    def fork(self, world: int) -> int:
        """Copy a world."""
        return self._keep(self.worlds[world].copy())

    def call(self, world: int, function: str, arguments: Any) -> Any:
        """Call a function of the agent's."""
        return answered(self.worlds[world].call, function, arguments)

    def act(self, world: int, function: str, arguments: Any) -> Any:
        """Call a function of the user's."""
        return answered(self.worlds[world].act, function, arguments)

    def state(self, world: int) -> Any:
        """Return what changed in a world."""
        return self.worlds[world].state()

    def drop(self, world: int) -> None:
        """Forget a world."""
        self.worlds.pop(world, None)

    def _keep(self, world: Any) -> int:
        self.next += 1
        self.worlds[self.next] = world
        return self.next


def inlined(schema: Any, definitions: Any = None) -> Any:
    """Return a schema in which every reference to a definition of its own is replaced by it."""
    if isinstance(schema, list):
        return [inlined(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    known = schema.get("$defs", definitions or {})
    if "$ref" in schema:
        return inlined(known[schema["$ref"].rpartition("/")[2]], known)
    return {key: inlined(value, known) for key, value in schema.items() if key != "$defs"}


def answered(function: Any, name: str, arguments: Any) -> Any:
    """Return a call's result, or what it raised."""
    try:
        return {"result": function(name, copy.deepcopy(arguments))}
    except Exception as error:  # noqa: BLE001 - whatever a benchmark's function raises is its answer
        return {"error": {"kind": type(error).__name__, "message": str(error)}}


def changes(before: Any, now: Any, path: str = "") -> dict[str, Any]:
    """Return path → value of every leaf that differs; one that is gone has null."""
    if isinstance(before, dict) and isinstance(now, dict):
        found: dict[str, Any] = {}
        for key in sorted(before.keys() | now.keys(), key=str):
            if before.get(key) != now.get(key):
                found |= changes(before.get(key), now.get(key), f"{path}/{key}")
        return found
    if isinstance(now, dict) and now:
        return {k: v for key, item in now.items() for k, v in changes(None, item, f"{path}/{key}").items()}
    if isinstance(now, list) and isinstance(before, list | None) and now:
        old = before or []
        found = {}
        for at in range(max(len(old), len(now))):
            left, right = (items[at] if at < len(items) else None for items in (old, now))
            if left != right:
                found |= changes(left, right, f"{path}/{at}")
        return found
    return {path: now}


def unique_values(rows: Any) -> set[str]:
    """Return the values of those fields of a table that never repeat, with the rows' keys where they have some."""
    found = {str(key) for key in rows} if isinstance(rows, dict) else set()
    items = [row for row in (rows.values() if isinstance(rows, dict) else rows) if isinstance(row, dict)]
    for field in {name for row in items for name in row}:
        values = [row[field] for row in items if isinstance(row.get(field), str | int) and row[field] not in ("", None)]
        values = [value for value in values if not isinstance(value, bool)]
        if len(values) > 3 and len(set(values)) == len(values):
            found |= {str(value) for value in values}
    return found


def entities_in(value: Any) -> set[str]:
    """Return keys and unique values of every table in a value: three rows or more, by key or in a list."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    rows = [set(item) for item in inner if isinstance(item, dict)]
    table = len(inner) > 2 and len(rows) == len(inner) and bool(set.intersection(*rows))
    found = unique_values(value) if table else set()
    return found.union(*(entities_in(item) for item in inner)) if inner else found


def serve(domains: Any) -> None:
    """Answer until the input ends. What a benchmark prints goes to the other stream."""
    out, sys.stdout = sys.stdout, sys.stderr
    worlds = Worlds(domains)
    for line in sys.stdin:
        order = json.loads(line)
        try:
            reply = {"answer": getattr(worlds, order.pop("do"))(**order)}
        except Exception as error:  # noqa: BLE001 - the other side is told, and asks on
            reply = {"failed": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(reply, default=str) + "\n")
        out.flush()
