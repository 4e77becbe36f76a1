"""Dependency closure (Metis §3.5, ALGORITHMS §3): U_{r+1} = U_r ∪ Dep(U_r) until nothing is added."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import NoReturn

from sqlmodel import Session, col, select

from nucleate_tool_library import rows
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.tables import ToolRow
from nucleate_tool_library.values import State, ToolVersion


def closure(session: Session, ids: Iterable[str]) -> tuple[ToolVersion, ...]:
    """Return the versions and all that they call, dependencies first; raise LibraryError for what cannot be loaded."""
    known = _reachable(session, list(dict.fromkeys(ids)))
    _check_names(known)
    _check_states(session, known)
    sorter = TopologicalSorter({key: version.dependencies for key, version in known.items()})
    try:
        return tuple(known[key] for key in sorter.static_order())
    except CycleError as error:
        path = " → ".join(repr(known[key].name) for key in error.args[1])
        raise LibraryError(f"tools call each other in a cycle: {path}; break it in one of them") from error


def _reachable(session: Session, wanted: list[str]) -> dict[str, ToolVersion]:
    known: dict[str, ToolVersion] = {}
    caller: dict[str, str] = {}
    while wanted:
        found = rows.read_versions(session, wanted)
        for missing in (key for key in wanted if key not in found):
            where = f", which {caller[missing]!r} calls" if missing in caller else ""
            raise LibraryError(f"no version {missing!r}{where}; `nucleate tools list` shows all tools")
        known |= found
        for version in found.values():
            caller |= dict.fromkeys(version.dependencies, version.name)
        wanted = list(dict.fromkeys(key for item in found.values() for key in item.dependencies if key not in known))
    return known


def _check_names(known: dict[str, ToolVersion]) -> None:
    seen: dict[str, str] = {}
    for key, version in known.items():
        other = seen.setdefault(version.name, key)
        if other != key:
            raise LibraryError(
                f"the closure needs two versions of {version.name!r} ({other[:12]} and {key[:12]}); "
                "register the tools that call the older one again"
            )


def _check_states(session: Session, known: dict[str, ToolVersion]) -> None:
    by_name = {(version.name, version.scope): version for version in known.values()}
    names = [version.name for version in known.values()]
    for start in range(0, len(names), 500):
        part = names[start : start + 500]
        for tool in session.exec(select(ToolRow).where(col(ToolRow.name).in_(part))).all():
            version = by_name.get((tool.name, tool.scope))
            if version is not None and State(tool.state) not in LOADABLE:
                _refuse(tool, [item.name for item in known.values() if version.id in item.dependencies])


def _refuse(tool: ToolRow, callers: list[str]) -> NoReturn:
    where = f", which {', '.join(map(repr, sorted(callers)))} calls" if callers else ""
    raise LibraryError(f"tool {tool.name!r}{where} is {tool.state}; `nucleate tools show {tool.name}` says why")
