"""How long it takes to register, close, look up who calls a tool and list, as a library grows; chains are 20 deep.

Each tool calls the one before it in its chain and one of another chain, so that a closure is no mere line. What is
compared with is the obvious way: walking from version to version, or over all of them, by the library's own reads.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from evals.library.part import Measured
from evals.sandbox.result import Target
from nucleate.database import open_database
from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import State, ToolLibrary, ToolVersion, read_signature

SIZES = (100, 1_000, 10_000)
DEPTH = 20
ASKED = 100
BOUND_MS = 10.0
SCOPE = "measured"
VERBS = ("fetch", "total", "check", "report", "order", "move", "label", "close", "open", "count")


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this part."""
    parser.add_argument("--closure-tools", type=int, nargs="+", default=SIZES, help="how many tools to register")


def measure(chosen: argparse.Namespace) -> Measured:
    """Measure libraries of several sizes."""
    rows = [_row(size) for size in chosen.closure_tools]
    sized = {int(str(row["tools"])): row for row in rows}
    named = {100: "100", 1_000: "1k", 10_000: "10k"}
    kinds = ("closure", "reverse_closure", "registration", "listing")
    figures: dict[str, Json] = {
        f"{kind}_ms_{named[size]}": row[f"{kind}_ms"] for size, row in sized.items() if size in named for kind in kinds
    }
    largest = rows[-1]
    return Measured(
        title=f"Closure, in chains {DEPTH} deep",
        lines=[line for row in rows for line in _lines(row)],
        figures=figures,
        rows=rows,
        targets=[
            Target(
                name=f"{kind.replace('_', ' ')}, {largest['tools']} tools",
                measured=float(str(largest[f"{kind}_ms"])),
                bound=BOUND_MS,
                at_least=False,
                unit="ms",
            )
            for kind in ("closure", "reverse_closure")
        ],
        bars={f"closure, {row['tools']} tools": float(str(row["closure_ms"])) for row in rows},
    )


def _lines(row: JsonObject) -> list[tuple[str, object]]:
    size = row["tools"]
    return [
        (f"{size} tools: closure, ms (walking: times as long)", f"{row['closure_ms']} ({row['closure_ratio']})"),
        (
            f"{size} tools: who leads to it, ms (over all: times as long)",
            f"{row['reverse_closure_ms']} ({row['reverse_ratio']})",
        ),
        (f"{size} tools: registration, ms", row["registration_ms"]),
        (
            f"{size} tools: one tool, whole list, near-duplicates, ms",
            f"{row['tool_ms']} {row['listing_ms']} {row['similar_ms']}",
        ),
    ]


def _row(size: int) -> JsonObject:
    versions = list(chains(size))
    with _library() as library:
        took = [_ms(lambda version=version: _register(library, version)) for version in versions]  # type: ignore[misc]
        picks = random.Random(0).sample(range(size), min(ASKED, size // 2))
        tops = [versions[min(place - place % DEPTH + DEPTH - 1, size - 1)] for place in picks]
        bases = [versions[place - place % DEPTH] for place in picks]
        closure = _median(lambda version: library.close([version.id]), tops)
        walked = _median(lambda version: walk(library, version.id), tops)
        reverse = _median(lambda version: library.dependents(version.name, SCOPE, transitive=True), bases)
        scanned = _median(lambda version: scan(library, version), bases[:3])
        _check(library, tops[0], bases[0])
        return {
            "tools": size,
            "depth": DEPTH,
            "members": statistics.median(len(library.close([version.id])) for version in tops),
            "registration_ms": round(statistics.median(took[-1_000:]), 3),
            "closure_ms": closure,
            "closure_ratio": round(walked / closure, 1),
            "reverse_closure_ms": reverse,
            "reverse_ratio": round(scanned / reverse, 1),
            "tool_ms": _median(lambda version: library.tool(version.name, SCOPE), tops),
            "listing_ms": round(_ms(lambda: library.listing(SCOPE)), 3),
            "similar_ms": round(_ms(lambda: library.similar(SCOPE)), 3),
        }


def chains(size: int) -> Iterator[ToolVersion]:
    """Return so many tools, each after what it calls: chains 20 deep, with a call into another chain here and there."""
    choose, made = random.Random(1), list[ToolVersion]()
    for place in range(size):
        level = place % DEPTH
        calls = [made[place - 1]] if level else []
        if level and place > DEPTH and choose.random() < 0.3:
            other = choose.randrange(place // DEPTH) * DEPTH + choose.randrange(min(level, 3))
            calls.append(made[other])
        made.append(_version(place, calls))
        yield made[-1]


def walk(library: ToolLibrary, root: str) -> set[str]:
    """Return a closure the obvious way: read a version, then each that it calls."""
    found: dict[str, ToolVersion] = {}

    def visit(key: str) -> None:
        if key not in found:
            found[key] = library.version(key)
            for called in found[key].dependencies:
                visit(called)

    visit(root)
    return set(found)


def scan(library: ToolLibrary, version: ToolVersion) -> set[str]:
    """Return who leads to a version the obvious way: add callers until nothing is added."""
    calls: Mapping[str, Sequence[str]] = {tool.version.id: tool.version.dependencies for tool in library.tools(SCOPE)}
    found, before = {version.id}, set[str]()
    while found != before:
        before, found = found, found | {key for key, called in calls.items() if not found.isdisjoint(called)}
    return found


def _check(library: ToolLibrary, top: ToolVersion, base: ToolVersion) -> None:
    """Compare what was timed: both ways must say the same."""
    names = {tool.version.id: tool.name for tool in library.tools(SCOPE)}
    leading = {names[key] for key in scan(library, base)} - {base.name}
    same = {item.id for item in library.close([top.id])} == walk(library, top.id)
    if not same or set(library.dependents(base.name, SCOPE, transitive=True)) != leading:
        raise RuntimeError(f"the closures of {top.name!r} or {base.name!r} differ from what walking finds")


def _version(place: int, calls: Sequence[ToolVersion]) -> ToolVersion:
    name = f"{VERBS[place % len(VERBS)]}_part_{place}"
    summed = " + ".join(["n", *(f"{item.name}(n=n)" for item in calls)])
    doc = f"{VERBS[place % len(VERBS)].title()} part {place} of shelf {place // DEPTH}."
    source = f'def {name}(n: int) -> int:\n    """{doc}"""\n    return {summed}\n'
    return ToolVersion(
        name=name,
        scope=SCOPE,
        source=source,
        signature=read_signature(source, name),
        capabilities=("stock.read",),
        dependencies=tuple(item.id for item in calls),
    )


def _register(library: ToolLibrary, version: ToolVersion) -> None:
    library.register(version, state=State.ACTIVE, approved_by="measuring")


@contextmanager
def _library() -> Iterator[ToolLibrary]:
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(str(Path(folder) / "library.db"))
        try:
            yield ToolLibrary(engine)
        finally:
            engine.dispose()


def _median(act: Callable[[ToolVersion], object], versions: Sequence[ToolVersion]) -> float:
    return round(statistics.median(_ms(lambda version=version: act(version)) for version in versions), 3)  # type: ignore[misc]


def _ms(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1_000
