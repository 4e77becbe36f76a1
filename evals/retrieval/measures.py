"""Hit rate, recall (pooled and mean) and full rate of packed evidence, with intervals by conversation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.retrieval.locomo import Conversation, Question
from nucleate_text_memory import Program, retrieve
from nucleate_text_memory.retrieval.packing import pack

BUDGETS = (500, 1_000, 1_900, 4_000)
_DRAWS = 2_000


@dataclass(frozen=True, kw_only=True)
class Found:
    """How many of a question's evidence turns a program found within a budget."""

    conversation: str
    category: int
    found: int
    wanted: int


@dataclass(frozen=True, kw_only=True)
class Shares:
    """The four shares over questions, 0 to 1, and the 95 % interval of the hit rate by conversation."""

    hit: float
    recall: float
    mean_recall: float
    full: float
    questions: int
    low: float
    high: float


def run(program: Program, conversations: Sequence[Conversation]) -> dict[int, list[Found]]:
    """Return what a program finds for every question, packed to each budget of tokens."""
    found: dict[int, list[Found]] = {budget: [] for budget in BUDGETS}
    for conversation in conversations:
        costs = [conversation.collection.tokens(position) for position in range(len(conversation.collection))]
        for question in conversation.questions:
            ordered = _ordered(question.text, conversation, program)
            for budget in BUDGETS:
                packed = pack(ordered, costs.__getitem__, budget)
                found[budget].append(_found(question, conversation, packed))
    return found


def _ordered(text: str, conversation: Conversation, program: Program) -> list[int]:
    hits = retrieve(text, conversation.collection, program=program).hits
    return [conversation.collection.positions[hit.document.id] for hit in hits]


def _found(question: Question, conversation: Conversation, packed: Sequence[int]) -> Found:
    ids = {conversation.collection.documents[position].id for position in packed}
    return Found(
        conversation=conversation.name,
        category=question.category,
        found=len(question.evidence & ids),
        wanted=len(question.evidence),
    )


def shares(found: Sequence[Found]) -> Shares:
    """Return the shares over questions; the interval draws whole conversations, with replacement."""
    each = np.array([(f.found > 0, f.found, f.wanted, f.found / f.wanted, f.found == f.wanted) for f in found], float)
    low, high = _interval(found)
    return Shares(
        hit=float(each[:, 0].mean()),
        recall=float(each[:, 1].sum() / each[:, 2].sum()),
        mean_recall=float(each[:, 3].mean()),
        full=float(each[:, 4].mean()),
        questions=len(found),
        low=low,
        high=high,
    )


def _interval(found: Sequence[Found]) -> tuple[float, float]:
    hits: dict[str, list[bool]] = defaultdict(list)
    for each in found:
        hits[each.conversation].append(each.found > 0)
    sums = np.array([(sum(group), len(group)) for group in hits.values()])
    drawn = np.random.default_rng(0).integers(0, len(sums), (_DRAWS, len(sums)))
    rates = sums[drawn, 0].sum(axis=1) / sums[drawn, 1].sum(axis=1)
    low, high = np.quantile(rates, (0.025, 0.975))
    return float(low), float(high)
