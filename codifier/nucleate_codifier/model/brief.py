"""What the model is told about a plan, and, apart from it, the recorded runs that it never sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.model.prompting import render
from nucleate_codifier.trace.align.runs import distinct, split
from nucleate_codifier.values import LibraryView
from nucleate_sandbox import FunctionSpec
from nucleate_text_memory import Entry, Occurrence

RELATED = 8  # tools that are shown of a library
MOST_REFUSALS = 8
_LONGEST = 240  # characters of a docstring

Rank = Callable[[str, Mapping[str, str]], Sequence[tuple[str, float]]]


@dataclass(frozen=True, kw_only=True)
class NumberedQuery:
    """One query as the model knows it: a number and a text."""

    number: int
    text: str
    buffered: bool = True


@dataclass(frozen=True, kw_only=True)
class Brief:
    """The plan, Q_B and Q_R, library and functions (Metis §3.3): no trajectory, so that none can reach a prompt."""

    plan: Entry
    queries: tuple[NumberedQuery, ...]
    functions: Mapping[str, FunctionSpec]
    library: LibraryView
    name_taken: frozenset[str] = frozenset()
    refusals: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Records:
    """The runs behind the queries, by number, for the judge alone; the model is never shown a held-out query first."""

    shown: Mapping[int, Occurrence]
    held_out: Mapping[int, Occurrence]


def prepare(
    plan: Entry,
    occurrences: Sequence[Occurrence],
    *,
    buffered: Container[str],
    functions: Mapping[str, FunctionSpec],
    library: LibraryView,
    name_taken: frozenset[str] = frozenset(),
    refusals: Sequence[str] = (),
) -> tuple[Brief, Records]:
    """Divide the runs into those whose query is shown and those held out; `buffered` holds the task ids of B(p)."""
    runs = distinct(occurrences)
    shown, held_out = split(runs) if len(runs) > 1 else (runs, [])
    numbered = dict(enumerate(shown, start=1))
    queries = tuple(
        NumberedQuery(number=number, text=run.trajectory.query, buffered=run.trajectory.task_id in buffered)
        for number, run in numbered.items()
    )
    brief = Brief(
        plan=plan,
        queries=queries,
        functions=functions,
        library=library,
        name_taken=name_taken,
        refusals=tuple(dict.fromkeys(refusals))[-MOST_REFUSALS:],
    )
    return brief, Records(shown=numbered, held_out=dict(enumerate(held_out, start=1)))


def task_prompt(brief: Brief, *, rank: Rank, reach: str, imports: str, turns: int) -> str:
    """Return the first message of the conversation."""
    return render(
        "task",
        title=brief.plan.title,
        body=brief.plan.body,
        buffered=query_lines([query for query in brief.queries if query.buffered]),
        related=query_lines([query for query in brief.queries if not query.buffered]),
        library=_library_lines(brief, rank),
        refusals="\n".join(f"* {line}" for line in brief.refusals) or "(none)",
        namespaces=_namespaces(brief.functions),
        reach=reach,
        imports=imports,
        turns=str(turns),
    )


def query_lines(queries: Sequence[NumberedQuery]) -> str:
    """Return the queries as a numbered list."""
    return "\n".join(f"{query.number}. {' '.join(query.text.split())}" for query in queries) or "(none)"


def _library_lines(brief: Brief, rank: Rank) -> str:
    """Return the tools that are near the plan, best first, a few words each; of the others their number."""
    tools = {name: version.signature for name, version in brief.library.tools.items()}
    texts = {name: f"{name.replace('_', ' ')} {signature.doc}" for name, signature in tools.items()}
    wanted = f"{brief.plan.title}\n{brief.plan.body}"
    near = [name for name, _score in rank(wanted, texts)[:RELATED]] if len(tools) > RELATED else sorted(tools)
    lines = [f"* `{tools[name].text}` {_first(tools[name].doc)}" for name in near]
    more = len(tools) - len(near)
    return "\n".join([*lines, *([f"* and {more} that are about other things"] if more else [])]) or "(none)"


def _first(doc: str) -> str:
    """Return the first paragraph of a docstring, within bounds."""
    text = " ".join(doc.strip().partition("\n\n")[0].split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _namespaces(functions: Mapping[str, FunctionSpec]) -> str:
    counts = Counter(name.rpartition(".")[0] for name in functions)
    return ", ".join(f"{name} ({counts[name]})" for name in sorted(counts)) or "none"
