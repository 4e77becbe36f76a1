"""Takes an edited export back in: what changed is judged again, after what it calls, and becomes a new version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nucleate.errors import InputInvalid
from nucleate.exports.folders import links, settle
from nucleate.exports.library_files import KIND
from nucleate.exports.tool_folder import ABOUT, about_tool, content_of, content_of_version, seen_contents, tool_files
from nucleate.release.admission import Proposal
from nucleate.repositories import described
from nucleate_codifier import Decision, Verdict
from nucleate_codifier.repository import CallGraph, Repository, ToolFile, graph_of, open_repository
from nucleate_sandbox import JsonObject, canonical
from nucleate_tool_library import LibraryError, State, Tool, ToolVersion

if TYPE_CHECKING:
    from nucleate.runtime import Runtime


class ImportOutcome(StrEnum):
    """What became of one tool of the folder."""

    UNCHANGED = "unchanged"
    NEW = "new"
    CHANGED = "changed"
    REBUILT = "rebuilt"
    ON_TRIAL = "on trial"
    REFUSED = "refused"
    UNJUDGED = "not judged"
    CONFLICT = "conflict"
    BEHIND = "behind"
    MISSING = "missing"


MOVED = frozenset({ImportOutcome.NEW, ImportOutcome.CHANGED, ImportOutcome.REBUILT})
AT_REST = frozenset({ImportOutcome.UNCHANGED, ImportOutcome.CONFLICT, ImportOutcome.BEHIND})
FAILED = {ImportOutcome.REFUSED: 1, ImportOutcome.CONFLICT: 1, ImportOutcome.UNJUDGED: 2}


@dataclass(frozen=True, kw_only=True)
class ImportedTool:
    """One tool: what became of it, why, the verdict where it was judged, and the release that is in force now."""

    name: str
    scope: str
    change: ImportOutcome
    why: str = ""
    release: str = ""
    verdict: Verdict | None = field(default=None, compare=False)
    file: ToolFile | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """What became of each tool of a folder, those that are missing from it last."""

    tools: tuple[ImportedTool, ...]

    @property
    def exit_code(self) -> int:
        """Return 0 when all that changed is in, 1 when something was refused, 2 when nobody could judge it."""
        return max((FAILED.get(item.change, 0) for item in self.tools), default=0)


def import_tools(runtime: Runtime, folder: Path, *, by: str, now: bool = False) -> ImportReport:
    """Judge what was edited in an export, and take in what is admitted, on the word of a named person.

    An edit of an active tool goes on trial beside it; `now` puts it in force at once. A tool that calls a changed one
    is judged again with it. What the library changed since the export is a conflict and stays as it is.
    """
    if not by.strip():
        raise InputInvalid(f"by={by!r}: whoever takes tools in is named; add --by NAME")
    repository = _opened(folder)
    asked = [tool for tool in repository.tools if tool.path in repository.asked]
    for scope, tool in {tool.candidate.scope: tool for tool in asked}.items():
        if not runtime.scopes.knows(scope):
            runtime.scopes.remember(scope, tool.project.environment.functions)
    work = _Import(runtime, repository.root, graph_of(asked), by=by, now=now)
    return ImportReport(tools=(*work.all(), *_missing(runtime, asked)))


def _opened(folder: Path) -> Repository:
    found = next(links(folder), None)
    if found is not None:
        raise InputInvalid(
            f"{found!r} in {str(folder)!r} is a symbolic link, which is not followed; put the file there"
        )
    return open_repository([folder], read_functions=described)


class _Import:
    def __init__(self, runtime: Runtime, root: Path, graph: CallGraph, *, by: str, now: bool) -> None:
        self._runtime = runtime
        self._root = root
        self._graph = graph
        self._by = by
        self._now = now
        self._why = f"imported from files by {by}"
        self._seen = {path: seen_contents((root / path).parent) for path in graph.tools}
        self._moved: set[str] = set()
        self._on_trial: set[str] = set()
        self._admission = runtime.releases.admission
        self._known: dict[str, dict[str, Tool]] = {}

    def all(self) -> Iterator[ImportedTool]:
        """Yield every tool, each after those that it calls."""
        for level in self._graph.levels(frozenset(self._graph.tools)):
            for path in level:
                item = self._one(self._graph.tools[path], path)
                if item.change not in AT_REST:
                    self._known.clear()
                if item.change in MOVED:
                    self._moved.add(path)
                if item.change not in AT_REST:
                    self._settle(self._graph.tools[path], item)
                yield item

    def _settle(self, file: ToolFile, item: ImportedTool) -> None:
        """Tell an exported folder what the library has now, so that the next edit is no conflict with this one."""
        tool = self._standing(file)
        if tool is None or item.change in FAILED:
            return
        trial = content_of(file.candidate, file.evidence) if item.change is ImportOutcome.ON_TRIAL else ""
        called = [self._runtime.library.version(key) for key in tool.version.dependencies]
        folder = (self._root / file.path).parent
        if folder.name == file.name:
            about = {ABOUT: about_tool(tool, called, on_trial=trial)}
            settle(folder, about, taken=tool_files(file.candidate, file.evidence), kind=KIND)

    def _one(self, file: ToolFile, path: str) -> ImportedTool:
        tool = self._standing(file)
        change, why = self._compare(file, tool)
        if change is ImportOutcome.UNCHANGED and self._moved.intersection(self._graph.calls[path]):
            change = ImportOutcome.REBUILT
        if change is ImportOutcome.ON_TRIAL and self._now and tool is not None:
            return _said(file, ImportOutcome.CHANGED, tool=self._promote(tool))
        if change not in MOVED:
            return _said(file, change, why=why, tool=tool)
        return self._judge(file, tool, change)

    def _standing(self, file: ToolFile) -> Tool | None:
        """Return the tool that a file is of; the library is read again where something has moved since."""
        scope = file.candidate.scope
        if scope not in self._known:
            self._known[scope] = {tool.name: tool for tool in self._runtime.library.tools(scope=scope)}
        return self._known[scope].get(file.name)

    def _compare(self, file: ToolFile, tool: Tool | None) -> tuple[ImportOutcome, str]:
        """Say what changed: the folder since its export, the library since then, both or neither."""
        if tool is None:
            return ImportOutcome.NEW, ""
        here, there = content_of(file.candidate, file.evidence), content_of_version(tool.version)
        if here == there:
            return ImportOutcome.UNCHANGED, ""
        trial = self._runtime.releases.canary(tool.name, tool.scope)
        if trial is not None and here == content_of_version(self._runtime.library.version(trial.version_id)):
            return ImportOutcome.ON_TRIAL, "this edit is on trial already"
        seen = self._seen[file.path]
        if here in seen:
            return ImportOutcome.BEHIND, "the library has changed since the export; export again"
        if seen and there not in seen:
            return ImportOutcome.CONFLICT, "the library changed since the export too; export elsewhere, and merge"
        return ImportOutcome.CHANGED, ""

    def _judge(self, file: ToolFile, tool: Tool | None, change: ImportOutcome) -> ImportedTool:
        candidate = replace(file.candidate, plan_id=tool.plan_id if tool else None, template=_template(file, tool))
        verdict = self._runtime.judge(candidate, file.evidence)
        if verdict.decision is Decision.UNJUDGED:
            return self._refuse(file, tool, verdict, change)
        if verdict.decision is Decision.PROVISIONAL and tool is not None and tool.state is State.ACTIVE:
            self._admission.tell(candidate, verdict)
            why = "judged without Docker, which puts nothing in the place of an active tool; import it where Docker is"
            return _said(file, ImportOutcome.UNJUDGED, why=why, tool=tool, verdict=verdict)
        release = partial(self._release, file.path, tool, change)
        proposal = Proposal(candidate=candidate, evidence=file.evidence, release=release)
        try:
            now = self._admission.settle(proposal, verdict)
        except LibraryError as error:
            return _said(file, ImportOutcome.REFUSED, why=str(error), verdict=verdict)
        if now is None:
            return self._refuse(file, tool, verdict, change)
        if file.path in self._on_trial:
            why = "admitted, on trial beside the active version"
            return _said(file, ImportOutcome.ON_TRIAL, why=why, tool=now, verdict=verdict)
        return _said(file, change, tool=now, verdict=verdict)

    def _promote(self, tool: Tool) -> Tool:
        return self._runtime.releases.promote(tool.name, scope=tool.scope, by=self._by, why=self._why)

    def _refuse(self, file: ToolFile, tool: Tool | None, verdict: Verdict, change: ImportOutcome) -> ImportedTool:
        """Leave the library as it is; but a tool that a changed one broke is not served any more."""
        refused = ImportOutcome.UNJUDGED if verdict.decision is Decision.UNJUDGED else ImportOutcome.REFUSED
        why = ""
        if change is ImportOutcome.REBUILT and tool is not None and not tool.pinned:
            why = "it calls a tool that changed, and does not do what it did with it"
            self._runtime.releases.demote(tool.name, scope=tool.scope, by=self._by, why=why, to=State.SUSPECT)
        return _said(file, refused, why=why, tool=tool, verdict=verdict)

    def _release(self, path: str, tool: Tool | None, change: ImportOutcome, version: ToolVersion, state: State) -> Tool:
        """Let a version be in force, or on trial beside the one that is; what is in force already stays."""
        if change is ImportOutcome.REBUILT and tool is not None and tool.version.id == version.id:
            return tool
        version = replace(_revised(version, tool), author=self._by)
        found = self._runtime.releases.release(version, state=state, plan_id=None, by=self._by, why=self._why)
        if found.version.id == version.id:
            return found
        if self._now:
            return self._promote(found)
        self._on_trial.add(path)
        return found


def _template(file: ToolFile, tool: Tool | None) -> JsonObject:
    """Keep the pattern of calls that a tool replaces while its source is the one that the pattern was made with."""
    return dict(tool.version.template) if tool is not None and tool.version.source == file.candidate.source else {}


def _revised(version: ToolVersion, tool: Tool | None) -> ToolVersion:
    """Make new tests or evidence for a source that is in force already a version of their own."""
    if tool is None or tool.version.id != version.id:
        return version
    parts = canonical([version.tests, version.evidence])
    revision = hashlib.sha256(parts.encode("utf-8", "replace")).hexdigest()[:16]
    return replace(version, evidence={**version.evidence, "revision": revision})


def _said(
    file: ToolFile, change: ImportOutcome, *, why: str = "", tool: Tool | None = None, verdict: Verdict | None = None
) -> ImportedTool:
    release = tool.release if tool is not None else ""
    return ImportedTool(
        name=file.name, scope=file.candidate.scope, change=change, why=why, release=release, verdict=verdict, file=file
    )


def _missing(runtime: Runtime, asked: Iterable[ToolFile]) -> Iterator[ImportedTool]:
    """Yield the tools of the folder's environments that it does not hold; they stay in the library."""
    known: dict[str, set[str]] = {}
    for file in asked:
        known.setdefault(file.candidate.scope, set()).add(file.name)
    for scope in sorted(known):
        for tool in runtime.library.tools(scope=scope):
            if tool.name not in known[scope] and tool.state is not State.ARCHIVED:
                why = f"not in the folder; `nucleate tools archive {tool.name}` takes it out of service"
                yield ImportedTool(
                    name=tool.name, scope=scope, change=ImportOutcome.MISSING, why=why, release=tool.release
                )
