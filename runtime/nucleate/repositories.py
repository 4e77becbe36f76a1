"""Admission of a repository's tools, for a program as for the command line: files in, a report out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version
from pathlib import Path

from nucleate.environments import read_functions
from nucleate.settings.settings import Settings
from nucleate_codifier.repository import (
    DescribedFunctions,
    JudgedTool,
    JudgingSetup,
    RepositoryReport,
    changed_files,
    concerned,
    graph_of,
    judge_tools,
    open_repository,
    unchanged,
)

Progress = Callable[[int], AbstractContextManager[Callable[[JudgedTool], None]]]


@contextmanager
def untold(_total: int) -> Iterator[Callable[[JudgedTool], None]]:
    """Tell nobody how far the judging is."""
    yield lambda _judged: None


def admit_repository(
    paths: Sequence[Path], setup: JudgingSetup, *, changed_since: str | None = None, progress: Progress = untold
) -> RepositoryReport:
    """Judge the tool modules in these files and folders by every gate; RepositoryError names what cannot be read.

    With `changed_since`, a commit, only what changed since then is judged, with what calls it. `progress` is told how
    many tools there are to judge, and then of each. The sandbox of the setup is the caller's, who ends it.
    """
    repository = open_repository(paths, read_functions=described, besides=frozenset(Settings.model_fields))
    graph = graph_of(repository.tools)
    changed = None if changed_since is None else changed_files(repository.root, changed_since)
    chosen = repository.asked & (graph.tools.keys() if changed is None else concerned(graph, changed))
    still = frozenset() if changed is None else unchanged(graph, changed)
    began = time.monotonic()
    with progress(len(graph.with_dependencies(chosen))) as tell:
        judged = judge_tools(graph, chosen, setup, beside=repository.asked, unchanged=still, on_judged=tell)
    return RepositoryReport(judged=judged, version=version("nucleate"), seconds=time.monotonic() - began)


def described(text: str, name: str) -> DescribedFunctions:
    """Read a file of functions, of any form that an environment can be described in."""
    found = read_functions(text, environment=name)
    return DescribedFunctions(name=found.environment, functions=found.functions)
