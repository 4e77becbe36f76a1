"""Reads the labelled corpus: tasks with a reference tool, and candidates that are good or have one defect."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("tuned", "held_out", "elsewhere")
Edit: TypeAlias = tuple[str, str]
"""A text that occurs once in the reference's source, and what stands in its place."""


class CorpusError(ValueError):
    """A corpus file is not what README.md describes."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Good(_Strict):
    """Another good way to write a task's tool."""

    style: str = ""
    kind: str = ""
    source: str
    tests: str = ""


class Bad(_Strict):
    """A candidate with one defect; without a source of its own it is the reference, edited, or with a wrong suite.

    `operator` names the published operator that made it from the reference, where no person did.
    """

    defect: str
    kind: str = ""
    operator: str = ""
    edits: tuple[Edit, ...] = ()
    source: str = ""
    tests: str = ""
    unsafe: bool = False


class CorpusTask(_Strict):
    """One task: its reference tool, the runs that are its evidence, and the candidates.

    `further` are arguments that are no evidence: what a made variant does with them tells whether it is wrong.
    """

    name: str
    world: str = "shop"
    further: tuple[dict[str, JsonValue], ...] = ()
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
    kind: str = ""
    operator: str = ""
    defect: str = ""
    unsafe: bool = False


class _Made(_Strict):
    task: str
    bad: tuple[Bad, ...]


class _File(_Strict):
    task: tuple[CorpusTask, ...] = ()
    made: tuple[_Made, ...] = ()


def read_corpus(half: str) -> tuple[CorpusTask, ...]:
    """Return one half's tasks in the order of their files; raise CorpusError that names the file and the place."""
    files = [_read(path) for path in sorted((CORPUS / half).glob("*.toml"))]
    made: dict[str, tuple[Bad, ...]] = {}
    for entry in (entry for file in files for entry in file.made):
        made[entry.task] = made.get(entry.task, ()) + entry.bad
    tasks = (task for file in files for task in file.task)
    return tuple(task.model_copy(update={"bad": task.bad + made.get(task.name, ())}) for task in tasks)


def _read(path: Path) -> _File:
    try:
        found = _File.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise CorpusError(f"{path.name}: {error}") from error
    for task in found.task:
        if not len(task.queries) == len(task.arguments) > task.held_out:
            raise CorpusError(f"{path.name}: {task.name!r} needs as many queries as arguments, more than held_out")
    return found


def candidates(task: CorpusTask) -> Iterator[Labelled]:
    """Yield the task's candidates with their labels."""
    if task.counted:
        yield Labelled(task=task, label=f"{task.name}/reference", source=task.source, tests=task.tests)
    for number, good in enumerate(task.good):
        label = f"{task.name}/{good.style or f'{good.kind} {number}'}"
        yield Labelled(task=task, label=label, source=good.source, tests=good.tests, kind=good.kind)
    for bad in task.bad:
        yield Labelled(
            task=task,
            label=f"{task.name}/{bad.defect}",
            source=bad.source or _edited(task, bad),
            tests=bad.tests or task.tests,
            kind=bad.kind,
            operator=bad.operator,
            defect=bad.defect,
            unsafe=bad.unsafe,
        )


def _edited(task: CorpusTask, bad: Bad) -> str:
    source = task.source
    for old, new in bad.edits:
        if source.count(old) != 1:
            raise CorpusError(f"{task.name}/{bad.defect}: {old!r} occurs {source.count(old)} times")
        source = source.replace(old, new)
    return source
