"""A library of any size for measuring: hand-written tools with queries for each, and near neighbours of every one.

`tasks.tsv` holds 203 tools. Each has the sentence of a user whose task the tool does, often with no word of the
docstring in it, and the words with which an agent would look for a tool for such a task. The sentences were written
before any search was tried on them. The neighbours share a tool's object under other verbs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nucleate_sandbox import JsonObject
from nucleate_tool_library import ToolVersion, read_signature

FILE = Path(__file__).parent / "tasks.tsv"
SCOPE = "measured"
NEIGHBOURS = {
    "list": ("List every {thing} of a period.", "Which {thing}s did we have in May"),
    "export": ("Export each {thing} to a spreadsheet.", "I need every {thing} as an Excel sheet"),
    "validate": ("Check that a {thing} is complete and valid.", "Is {thing} 12 filled in properly"),
    "watch": ("Tell somebody when a {thing} changes.", "Let me know as soon as {thing} 7 is different"),
    "archive": ("Archive a {thing} that is no longer in use.", "Put {thing} 4 away, nobody needs it"),
    "count": ("Count the {thing}s by month.", "How many {thing}s are there in each month"),
    "annotate": ("Attach a remark to a {thing}.", "Write on {thing} 31 that it is urgent"),
    "clone": ("Make a copy of a {thing} as a template.", "I want another {thing} just like number 8"),
}
# What sets more of them apart, for libraries of thousands: the end of a name, of a docstring and of a sentence.
PLACES = {
    "": "",
    "of_team": " of one team",
    "of_region": " of one region",
    "of_year": " of one year",
    "of_partner": " of one partner",
    "of_draft": " that is still a draft",
    "of_branch": " of one branch office",
    "of_group": " of one group of customers",
}


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a user said, what an agent looks for then, and the tool that does it."""

    said: str
    sought: str
    tool: str


def tasks() -> list[Task]:
    """Return the tasks, in the order of the file."""
    return [Task(said=said, sought=sought, tool=name) for name, _, _, said, sought in _rows()]


def library(size: int) -> list[ToolVersion]:
    """Return so many tools: those that have tasks first, then neighbours, one of each kind after the other.

    Each carries, as the tools of a real library do, what a user said whose task it was made from.
    """
    found = {name: _version(name, parameters, doc, said) for name, parameters, doc, said, _ in _rows()}
    for name, version in _neighbours(list(found)):
        if len(found) >= size:
            break
        found.setdefault(name, version)
    return list(found.values())[:size]


def _neighbours(names: list[str]) -> Iterator[tuple[str, ToolVersion]]:
    for (place, where), (verb, (doc, said)) in itertools.product(PLACES.items(), NEIGHBOURS.items()):
        for name in names:
            thing = name.partition("_")[2]
            words = thing.replace("_", " ")
            made = _version(
                "_".join(filter(None, (verb, thing, place))),
                f"{thing}_id: str",
                f"{doc.format(thing=words).removesuffix('.')}{where}.",
                f"{said.format(thing=words)}{where}",
            )
            yield made.name, made


def _version(name: str, parameters: str, doc: str, said: str) -> ToolVersion:
    source = f'def {name}({parameters}) -> dict[str, str]:\n    """{doc}"""\n    return {{}}\n'
    evidence: JsonObject = {"seen": [{"query": said}]}
    return ToolVersion(name=name, scope=SCOPE, source=source, signature=read_signature(source, name), evidence=evidence)


def _rows() -> list[list[str]]:
    return [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()]
