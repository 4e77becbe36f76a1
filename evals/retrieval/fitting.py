"""Fits the weights of the features: logistic regression on questions whose evidence is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evals.retrieval.locomo import Conversation, names
from nucleate_text_memory import Query, Weights
from nucleate_text_memory.retrieval.asked import understand
from nucleate_text_memory.retrieval.features import FeatureCase, features, matrix
from nucleate_text_memory.retrieval.primitives import apply
from nucleate_text_memory.retrieval.program import Program, Rescore
from nucleate_text_memory.retrieval.view import View

Rows = NDArray[np.float64]

_PENALTY, _ROUNDS = 1.0, 25


def fit(
    conversations: Sequence[Conversation], program: Program, *, name: str, leave_out: Sequence[str] = ()
) -> Weights:
    """Return the weights under which a program's candidates that are evidence score highest.

    Within a question the evidence weighs as much as all other candidates together.
    """
    columns: tuple[str, ...] = ()
    parts = []
    for conversation in conversations:
        for question in conversation.questions:
            case = _case(question.text, conversation, program)
            found = features(case)
            columns = tuple(each for each in found if each not in leave_out)
            parts.append((matrix(found, columns), *_labels(case, question.evidence)))
    rows, labels, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    fitted, bias = logistic(rows, labels, weights)
    found_weights = {column: round(float(weight), 4) for column, weight in zip(columns, fitted, strict=True)}
    said = f"LoCoMo conversations {names(conversations)}"
    return Weights(name=name, fitted_on=said, bias=round(bias, 4), weights=found_weights)


def _case(text: str, conversation: Conversation, program: Program) -> FeatureCase:
    query = Query(text=text, scope=conversation.collection.scope)
    collection = conversation.collection
    view = View(query=query, asked=understand(query, collection), collection=collection)
    for step in program.steps:
        if isinstance(step, Rescore):
            break
        apply(step, view)
    return FeatureCase(asked=view.asked, collection=collection, positions=view.candidates())


def _labels(case: FeatureCase, evidence: frozenset[str]) -> tuple[Rows, Rows]:
    labels = case.each(lambda document: float(document.id in evidence))
    here = max(labels.sum(), 1.0), max((1 - labels).sum(), 1.0)
    return labels, np.where(labels > 0, 1 / here[0], 1 / here[1])


def logistic(rows: Rows, labels: Rows, weights: Rows) -> tuple[Rows, float]:
    """Return the weights and the bias that minimise the penalised log loss, by Newton's method on standardised rows."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    inputs = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    penalty = np.diag([_PENALTY] * rows.shape[1] + [0.0])
    found = np.zeros(inputs.shape[1])
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-(inputs @ found)))
        slope = inputs.T @ (weights * (likely - labels)) + penalty @ found
        bend = (inputs * (weights * likely * (1 - likely))[:, None]).T @ inputs + penalty
        found -= np.linalg.solve(bend, slope)
    fitted = found[:-1] / spread
    return fitted, float(found[-1] - fitted @ mean)
