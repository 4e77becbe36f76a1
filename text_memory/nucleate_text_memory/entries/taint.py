"""Words that an agent took from a tool's answer or from a single query stay those of the tool or of who asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection

from nucleate_text_memory.contents import FactContent
from nucleate_text_memory.entries.orders import plain
from nucleate_text_memory.entries.trust import trust_of
from nucleate_text_memory.recordings.trajectories import load
from nucleate_text_memory.scopes import Scope
from nucleate_text_memory.values import Draft, Json, Kind, SourceSpan, Trajectory, Trust

_WORDS = 5  # so many words in a row are a quotation
_SHORTEST_VALUE = 4


def quoted_from(connection: Connection, draft: Draft) -> str | None:
    """Return why an agent's entry must wait: it quotes a tool's answer, or a query in a scope that others share."""
    if trust_of(draft.source) is not Trust.AGENT or draft.source.startswith("task:"):
        return None
    said, named = _phrases(draft), {evidence.task_id for evidence in draft.evidence}
    runs = load(connection, sorted(named))
    missing = sorted(named - {run.task_id for run in runs})
    if missing:  # what cannot be read cannot be compared: naming a run that is not there would get round the check
        return f"its evidence is in the run of task {missing[0]!r}, which is not stored"
    for run in runs:
        function = next((name for name, text in _answers(run) if _quotes(said, text)), None)
        if function is not None:
            return f"the agent has its words from an answer of `{function}`, which no independent source supports"
        if not Scope.parse(draft.scope).user and _quotes(said, run.query):
            return f"the agent has its words from the query of task {run.task_id!r} alone, and the scope is shared"
    return None


def guessed_from(connection: Connection, draft: Draft, evidence: Sequence[SourceSpan]) -> str | None:
    """Return why an agent's pitfall must wait: one failed run does not show its own cause, two that fail alike do."""
    if draft.kind is not Kind.PITFALL or trust_of(draft.source) is not Trust.AGENT or draft.source.startswith("task:"):
        return None
    runs = load(connection, sorted({span.task_id for span in evidence}))
    if len(runs) == 1 and runs[0].success is False:
        return f"the run of task {runs[0].task_id!r} failed, and no other run or person supports this cause"
    return None


def _phrases(draft: Draft) -> list[str]:
    value = draft.content.value if isinstance(draft.content, FactContent) else ""
    words = _words(f"{draft.title} {draft.body}").split()
    runs = [" ".join(words[i : i + _WORDS]) for i in range(len(words) - _WORDS + 1)]
    return ([_words(value)] if len(value) >= _SHORTEST_VALUE else []) + runs + [w for w in words if _is_mark(w)]


def _is_mark(word: str) -> bool:
    """Return whether a word alone is a quotation: an id, an account, a version; whoever repeats it has read it."""
    return len(word) >= _SHORTEST_VALUE and any(c.isdigit() for c in word) and (not word.isdigit() or len(word) > 5)


def _quotes(phrases: list[str], text: str) -> bool:
    searched = f" {_words(text)} "
    return any(phrase and f" {phrase} " in searched for phrase in phrases)


def _answers(run: Trajectory) -> Iterator[tuple[str, str]]:
    for step in run.steps:
        yield from ((step.function, text) for text in _texts(step.result))
        if step.error is not None:
            yield step.function, step.error.message


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str | int | float):
        yield str(value)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(item)


def _words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in plain(text).casefold()).split())
