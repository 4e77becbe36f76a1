"""The pages about the corpus: what each program tries, what must happen, and what came of it on each backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from nucleate_sandbox import DockerSandbox, MontySandbox
from tests.sandbox.escapes.case import Ending, Ground, Program, in_words
from tests.sandbox.escapes.corpus import CASES, CLASSES, harmless, met, on_monty, twin_on_monty

AT_ONCE = 3
SUMMARY = "sandbox_hostile.md"
HEAD = """# Hostile programs

`python -m tests.sandbox.escapes` runs the corpus on both backends and writes this page and one for each class. The
static policy is off: nothing reads a program before it runs.

* **Must happen** is exact: one value, one kind of failure or one limit; another only where the order of processes, or
  the kernel, chooses.
* **Docker** and **Monty** tell what came of it. *(unsupported)* is the embedded interpreter's word for a construct that
  it lacks.
* **Twin**: a harmless program of the same shape gave its exact value, so nothing was refused for a wrong reason.
* After each program a probe is compared with that of a fresh container: files, disk, environment, umask, folder,
  processes, limits, signals, builtins, modules, sockets, random state, priority.
* After each program on Docker the host looks, in the kernel's own files: the container has the processes, descriptors,
  disk blocks, inodes and memory that it had at rest, or it is gone; no process of a sandbox user runs outside of a
  container; no file of such a user, no System V object, and no changed kernel setting is on the host.

A suite's report is its files' own word. A suite that forges it passes a wrong tool as well, so it kills no mutant and
counts for nothing: `[true,true]`. Nothing is ever copied out of a container: what leaves it are frames of strict JSON
and two streams of bytes. A forged answer of a session's own block harms that session's program alone, and never the
blocks after it.
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One program with what came of it and of its twin: (Docker, Monty) each."""

    group: str
    item: Program
    endings: tuple[Ending, Ending]
    twins: tuple[Ending, Ending]

    @property
    def held(self) -> bool:
        """True when every ending is one that must happen."""
        return (
            met(self.item.docker, self.endings[0])
            and met(on_monty(self.item), self.endings[1])
            and met((harmless(self.item),), self.twins[0])
            and met(twin_on_monty(self.item), self.twins[1])
        )


def measured() -> list[Row]:
    """Run every program and every twin on both backends, a few at a time."""
    with DockerSandbox() as docker, DockerSandbox() as other, MontySandbox() as monty, MontySandbox() as second:
        grounds = (Ground(sandbox=docker, other=other), Ground(sandbox=monty, other=second))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(lambda case: _row(case, grounds), CASES))


def _row(case: tuple[str, Program], grounds: tuple[Ground, Ground]) -> Row:
    (group, item), (there, here) = case, grounds
    return Row(
        group=group,
        item=item,
        endings=(item.attack.on(there), item.attack.on(here)),
        twins=(item.twin.on(there), item.twin.on(here)),
    )


def pages(rows: Iterable[Row]) -> dict[str, str]:
    """Return the summary and a page for each class as Markdown, by their files' names below `docs/`."""
    groups: dict[str, list[Row]] = {group: [] for group in CLASSES}
    for row in rows:
        groups[row.group].append(row)
    return {
        SUMMARY: f"{HEAD}\n{summary(groups)}",
        **{_file(group): _page(group, found) for group, found in groups.items()},
    }


def _file(group: str) -> str:
    return f"hostile/{group.replace(' ', '_')}.md"


def summary(groups: Mapping[str, list[Row]]) -> str:
    """Return the table of classes: programs, the kinds of outcome on Docker and on Monty, and how many got through."""
    lines = ["| class | programs | on Docker | on Monty | got through |", "|---|---|---|---|---|"]
    for group, rows in groups.items():
        there, here = (_kinds(row.endings[number] for row in rows) for number in (0, 1))
        lines.append(f"| [{group}]({_file(group)}) | {len(rows)} | {there} | {here} | {_through(rows)} |")
    every = [row for rows in groups.values() for row in rows]
    return "\n".join([*lines, f"| **all** | **{len(every)}** | | | **{_through(every)}** |", ""])


def _kinds(endings: Iterable[Ending]) -> str:
    counted = Counter(item.manner for item in endings)
    return ", ".join(f"{count} {manner}" for manner, count in sorted(counted.items(), key=lambda pair: -pair[1]))


def _through(rows: Iterable[Row]) -> int:
    return sum(not row.held for row in rows)


def _page(group: str, rows: list[Row]) -> str:
    head = f"# Hostile programs: {group}\n\n[The summary](../sandbox_hostile.md) says how they are run and what is looked at after each."
    columns = "| program | tries | must happen | Docker | Monty | twin |\n|---|---|---|---|---|---|"
    return "\n".join([head, "", f"{len(rows)} programs.", "", columns, *map(_line, rows), ""])


def _line(row: Row) -> str:
    cells = [row.item.name, row.item.tries, in_words(row.item.docker), *map(_cell, row.endings), _twin(row)]
    return f"| {' | '.join(cells)} |" + ("" if row.held else " **NOT AS IT MUST**")


def _cell(ending: Ending) -> str:
    return in_words((ending,))


def _twin(row: Row) -> str:
    there, here = row.twins
    return _cell(there) if here == there else f"{_cell(there)}; Monty: {_cell(here)}"
