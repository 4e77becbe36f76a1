"""Names: which tool one leads to, its own or one that it once had."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.reading.statements import StatementRunner

_NAMED = "SELECT * FROM tool WHERE name = :name AND (:everywhere OR scope = :scope) ORDER BY scope"
_LED = """SELECT tool.* FROM tool JOIN alias ON alias.tool_id = tool.id
    WHERE alias.name = :name AND (:everywhere OR alias.scope = :scope)"""
_ALIASES = """SELECT alias.scope, alias.name, tool.name FROM alias JOIN tool ON tool.id = alias.tool_id
    WHERE (:everywhere OR alias.scope = :scope) ORDER BY alias.scope, alias.name"""
_NAMES = "SELECT name FROM tool WHERE (:everywhere OR scope = :scope)"


def find(run: StatementRunner, name: str, scope: str | None) -> Any:
    """Return the row of the tool that a name leads to; without a scope the name must be unique over all scopes.

    An alias is asked first: the archived tool whose name it took is found again when it is revived.
    """
    asked = {"name": name, **within(scope)}
    found = {row.scope: row for row in run(_NAMED, **asked)} | {row.scope: row for row in run(_LED, **asked)}
    return _only(run, list(found.values()), name, scope)


def find_own(run: StatementRunner, name: str, scope: str | None) -> Any:
    """Return the row of the tool that bears this name itself, whatever alias there is."""
    return _only(run, run(_NAMED, name=name, **within(scope)), name, scope)


def aliases_of(run: StatementRunner, scope: str | None) -> dict[tuple[str, str], str]:
    """Return (scope, alias) → the tool's name, in order."""
    return {(where, alias): name for where, alias, name in run(_ALIASES, **within(scope))}


def names_in(run: StatementRunner, scope: str | None) -> frozenset[str]:
    """Return every name that leads to a tool of a scope, or of any."""
    own = (row.name for row in run(_NAMES, **within(scope)))
    return frozenset({*own, *(alias for _scope, alias in aliases_of(run, scope))})


def within(scope: str | None) -> dict[str, object]:
    """Return the values by which a statement keeps to a scope, or to none."""
    return {"everywhere": scope is None, "scope": scope or ""}


def _only(run: StatementRunner, found: Sequence[Any], name: str, scope: str | None) -> Any:
    if not found:
        raise LibraryError(_unknown(run, name, scope))
    if len(found) > 1:
        scopes = ", ".join(repr(row.scope) for row in found)
        raise LibraryError(f"the name {name!r} is used in several scopes; say which of {scopes}")
    return found[0]


def _unknown(run: StatementRunner, name: str, scope: str | None) -> str:
    near = difflib.get_close_matches(name, sorted(names_in(run, scope)), n=3)
    where = f" in scope {scope!r}" if scope is not None else ""
    hint = f" (near: {', '.join(near)})" if near else ""
    return f"no tool named {name!r}{where}{hint}; `nucleate tools list` shows all"
