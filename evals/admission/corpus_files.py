"""Reads the labelled corpus: tasks with a reference tool, and candidates that are good or have one defect."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("tuned", "held_out")


class CorpusError(ValueError):
    """A corpus file is not what README.md describes."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Good(_Strict):
    """Another good way to write a task's tool."""

    style: str
    source: str
    tests: str = ""


class Bad(_Strict):
    """A candidate with one defect; without a source of its own it is the reference, with a suite that is wrong."""

    defect: str
    source: str = ""
    tests: str = ""
    unsafe: bool = False


class CorpusTask(_Strict):
    """One task: its reference tool, the runs that are its evidence, and the candidates."""

    name: str
    queries: tuple[str, ...]
    arguments: tuple[dict[str, JsonValue], ...]
    source: str
    held_out: int = 1
    counted: bool = True
    needs: tuple[str, ...] = ()
    approved: tuple[str, ...] = ()
    tests: str = ""
    good: tuple[Good, ...] = ()
    bad: tuple[Bad, ...] = ()


class Labelled(_Strict):
    """A candidate with its label: `defect` is empty where it is good."""

    task: CorpusTask
    label: str
    source: str
    tests: str = ""
    defect: str = ""
    unsafe: bool = False


class _File(_Strict):
    task: tuple[CorpusTask, ...] = Field(min_length=1)


def read_corpus(half: str) -> tuple[CorpusTask, ...]:
    """Return one half's tasks in the order of their files; raise CorpusError that names the file and the place."""
    return tuple(task for path in sorted((CORPUS / half).glob("*.toml")) for task in _read(path))


def _read(path: Path) -> tuple[CorpusTask, ...]:
    try:
        tasks = _File.model_validate(tomllib.loads(path.read_text("utf-8"))).task
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise CorpusError(f"{path.name}: {error}") from error
    for task in tasks:
        if not len(task.queries) == len(task.arguments) > task.held_out:
            raise CorpusError(f"{path.name}: {task.name!r} needs as many queries as arguments, more than held_out")
    return tasks


def candidates(task: CorpusTask) -> Iterator[Labelled]:
    """Yield the task's candidates with their labels."""
    if task.counted:
        yield Labelled(task=task, label=f"{task.name}/reference", source=task.source, tests=task.tests)
    for good in task.good:
        yield Labelled(task=task, label=f"{task.name}/{good.style}", source=good.source, tests=good.tests)
    for bad in task.bad:
        yield Labelled(
            task=task,
            label=f"{task.name}/{bad.defect}",
            source=bad.source or task.source,
            tests=bad.tests or task.tests,
            defect=bad.defect,
            unsafe=bad.unsafe,
        )
