"""What changed since a revision, by git, and which tools that concerns."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path, PurePosixPath

from nucleate_codifier.repository.find import belongs_to, is_test_of
from nucleate_codifier.repository.order import CallGraph
from nucleate_codifier.repository.project_values import RepositoryError, ToolFile

EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # git's name for a tree without files


def changed_files(root: Path, revision: str) -> frozenset[str]:
    """Return the paths that differ from where this work left the revision: committed, staged, unstaged, untracked."""
    commit = EMPTY if _is_unborn(root, revision) else _commit(root, revision)
    with contextlib.suppress(RepositoryError):  # without a common history everything that differs has changed
        commit = _git(root, "merge-base", commit, "HEAD").strip()
    differing = _git(root, "diff", "--name-only", "-z", "--no-renames", "--relative", commit, "--")
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(path for path in f"{differing}{untracked}".split("\0") if path)


def _commit(root: Path, revision: str) -> str:
    return _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").strip()


def _is_unborn(root: Path, revision: str) -> bool:
    """Before the first commit there is no HEAD, and everything is new."""
    if revision != "HEAD":
        return False
    try:
        _commit(root, revision)
    except RepositoryError:
        return _git(root, "rev-list", "--all", "--max-count=1") == ""
    return False


def concerned(graph: CallGraph, changed: frozenset[str]) -> frozenset[str]:
    """Return the tools whose verdict may differ: changed themselves or in what they depend on, and their callers."""
    gone = {PurePosixPath(path).stem for path in changed if path.endswith(".py")}
    own = {path for path, tool in graph.tools.items() if _is_changed(tool, changed) or graph.names[path] & gone}
    return graph.with_dependents(own)


def unchanged(graph: CallGraph, changed: frozenset[str]) -> frozenset[str]:
    """Return the tools of which no file of their own differs."""
    return frozenset(path for path in graph.tools if changed.isdisjoint(belongs_to(path)))


def _is_changed(tool: ToolFile, changed: frozenset[str]) -> bool:
    inputs = (*belongs_to(tool.path), *tool.project.inputs)
    return not changed.isdisjoint(inputs) or any(is_test_of(path, tool.path) for path in changed)


def _git(root: Path, *words: str) -> str:
    try:
        ended = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RepositoryError(f"git does not answer ({error}); leave --changed-since out") from error
    if ended.returncode:
        reason = " ".join(ended.stderr.split())[:200] or "no such revision"
        raise RepositoryError(f"git {words[0]} {words[-1]!r}: {reason}; name a commit that this clone has")
    return ended.stdout
