"""Compares near-duplicates by what they do; those with the same results and writes are proposed for merge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice

from nucleate.release.comparing import compare
from nucleate.services import Services
from nucleate.versions import evidence_of
from nucleate_codifier import Example
from nucleate_codifier.admission.generality.behaviour import renaming
from nucleate_codifier.admission.running.grounds import state_of
from nucleate_sandbox import Environment, FunctionError, JsonObject, RecordedEnvironment, canonical
from nucleate_tool_library import State, Tool, ToolUse

MOST_PAIRS, MOST_CASES, FEWEST_CASES = 50, 8, 2


@dataclass(frozen=True, kw_only=True)
class MergeProposal:
    """Two tools that did the same in every case: `drop` may become an alias of `keep`, whose parameters `names` tell.

    `cases` were compared on copies of the live environment where `live`, else against the recorded answers.
    """

    keep: str
    drop: str
    scope: str
    cases: int
    live: bool
    names: Mapping[str, str]


class Twins:
    """Looks for pairs that reach the same functions and take the same types, and runs both on their evidence."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def proposals(self, scope: str | None = None) -> tuple[MergeProposal, ...]:
        """Return the pairs that agree in at least two cases and differ in none."""
        tools = [tool for tool in self._services.library.tools(scope=scope, states=(State.ACTIVE,)) if not tool.pinned]
        uses = {(use.scope, use.name): use for use in self._services.library.stats(scope).tools}
        pairs = islice(_alike(tools), MOST_PAIRS)
        found = (self._compared(*_order(first, second, uses)) for first, second in pairs)
        return tuple(item for item in found if item is not None)

    def _compared(self, keep: Tool, drop: Tool) -> MergeProposal | None:
        names = renaming(drop.version.signature, keep.version.signature)
        if names is None:
            return None
        live = self._services.scopes.live(keep.scope)
        cases = _cases(drop, keep, names)
        if len(cases) < FEWEST_CASES or not all(self._agree(keep, drop, case, names, live) for case in cases):
            return None
        return MergeProposal(
            keep=keep.name, drop=drop.name, scope=keep.scope, cases=len(cases), live=live is not None, names=names
        )

    def _agree(self, keep: Tool, drop: Tool, case: Example, names: Mapping[str, str], live: Environment | None) -> bool:
        """Run both, each in a world of its own that begins in the same state, and compare what they did and left."""
        functions = self._services.scopes.view(keep.scope).functions
        try:
            worlds = [live.fork() if live else RecordedEnvironment(keep.scope, functions, case.calls) for _ in range(2)]
        except FunctionError:
            worlds = [RecordedEnvironment(keep.scope, functions, case.calls) for _ in range(2)]
        first = self._services.runner.execute(
            keep.version, {names[key]: value for key, value in case.arguments.items()}, worlds[0]
        )
        second = self._services.runner.execute(drop.version, case.arguments, worlds[1])
        found = compare(first, second, functions)
        return found.passed and found.reference_passed and state_of(worlds[0]) == state_of(worlds[1])


def _alike(tools: list[Tool]) -> Iterator[tuple[Tool, Tool]]:
    groups: dict[tuple[str, frozenset[str], tuple[str, ...]], list[Tool]] = {}
    for tool in tools:
        version = tool.version
        if version.capabilities or version.dependencies:
            key = (tool.scope, frozenset(version.capabilities), tuple(sorted(version.dependencies)))
            groups.setdefault(key, []).append(tool)
    for group in groups.values():
        yield from combinations(group, 2)


def _order(first: Tool, second: Tool, uses: Mapping[tuple[str, str], ToolUse]) -> tuple[Tool, Tool]:
    """Return the tool to keep, which is used more, and the other one."""
    counted = [uses[tool.scope, tool.name].uses if (tool.scope, tool.name) in uses else 0 for tool in (first, second)]
    return (first, second) if counted[0] >= counted[1] else (second, first)


def _cases(drop: Tool, keep: Tool, names: Mapping[str, str]) -> list[Example]:
    """Return the distinct recorded inputs of both, in the words of the one that would go."""
    back = {new: old for old, new in names.items()}
    cases: dict[str, Example] = {}
    for tool, words in ((drop, None), (keep, back)):
        evidence = evidence_of(tool.version)
        for example in (*evidence.seen, *evidence.held_out):
            arguments = _renamed(example.arguments, words)
            if arguments is not None:
                cases.setdefault(canonical(arguments), replace(example, arguments=arguments))
    return list(cases.values())[:MOST_CASES]


def _renamed(arguments: JsonObject, words: Mapping[str, str] | None) -> JsonObject | None:
    if words is None:
        return arguments
    return {words[key]: value for key, value in arguments.items()} if arguments.keys() <= words.keys() else None
