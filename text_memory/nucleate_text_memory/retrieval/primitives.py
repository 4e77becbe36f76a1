"""What each primitive does to a view."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from nucleate_text_memory.errors import BadProgram
from nucleate_text_memory.retrieval import program as ops
from nucleate_text_memory.retrieval.documents import Reason
from nucleate_text_memory.retrieval.features import FeatureCase, features, matrix
from nucleate_text_memory.retrieval.fusion import shares
from nucleate_text_memory.retrieval.packing import pack
from nucleate_text_memory.retrieval.view import View
from nucleate_text_memory.retrieval.words import counted

_DAY = 86_400.0


@singledispatch
def apply(step: ops.Primitive, _view: View) -> None:
    """Run one step of a program on a view."""
    raise BadProgram(f"no primitive is implemented for {step!r}; known: {', '.join(ops.PRIMITIVES)}")


@apply.register
def _(step: ops.Lexical, view: View) -> None:
    view.found(step.op, *view.collection.lexical.search(counted(view.asked.content), step.limit))


@apply.register
def _(step: ops.Dense, view: View) -> None:
    if view.collection.dense is not None and view.asked.vector is not None:
        view.found(step.op, *view.collection.dense.search(view.asked.vector, step.limit))


@apply.register
def _(step: ops.Entity, view: View) -> None:
    view.found(step.op, *view.collection.entities.search(view.asked.entities, step.limit))


@apply.register
def _(step: ops.Similarity, view: View) -> None:
    dense, vectors = view.collection.dense, view.collection.vectors
    if dense is None or vectors is None:
        return
    for source in view.best(step.top):
        near = dense.search(vectors[source].astype(np.float32), step.limit + 1)
        for position, cosine in zip(*(each.tolist() for each in near), strict=True):
            _lead(view, step.op, source, position, view.scores[source] * step.share * cosine, "is similar to")


@apply.register
def _(step: ops.Relation, view: View) -> None:
    collection = view.collection
    for source in view.best(step.top):
        for position in collection.related(source):
            _lead(view, step.op, source, position, view.scores[source] * step.share, "is related to")


@apply.register
def _(step: ops.Temporal, view: View) -> None:
    offsets = [*range(-step.before, 0), *range(1, step.after + 1)]
    sources = np.array(view.best(step.top), dtype=np.int64)
    for offset in offsets if len(sources) else []:
        side = "before" if offset < 0 else "after"
        for source, position in zip(sources, view.collection.neighbours(sources, offset), strict=True):
            if position >= 0:
                score = view.scores[int(source)] * step.share ** abs(offset)
                _lead(view, step.op, int(source), int(position), score, f"stands {abs(offset)} {side}")


@apply.register
def _(step: ops.Fuse, view: View) -> None:
    positions = view.candidates()
    total, weight_sum = np.zeros(len(positions)), 0.0
    for name, ranking in view.rankings.items():
        weight = dict(step.weights).get(name, 1.0)  # type: ignore[call-overload]
        total += weight * shares(np.array([ranking.get(p, 0.0) for p in positions.tolist()]), k=step.k)
        weight_sum += weight
    view.rescore(positions, total / (weight_sum or 1.0))


@apply.register
def _(step: ops.Rescore, view: View) -> None:
    weights = ops.load_weights(step.weights)
    if not view.scores or not len(view.collection.groups):
        return
    case = FeatureCase(asked=view.asked, collection=view.collection, positions=view.candidates())
    names = list(weights.weights)
    parts = matrix(features(case), names) * np.array(list(weights.weights.values()))
    view.rescore(case.positions, 1 / (1 + np.exp(-(parts.sum(axis=1) + weights.bias))))
    view.features, view.parts = tuple(names), dict(zip(case.positions.tolist(), parts, strict=True))


@apply.register
def _(step: ops.Prefer, view: View) -> None:
    documents = view.collection.documents
    for position, score in view.scores.items():
        document = documents[position]
        factor = _factor(step.trust, document.trust) * _factor(step.value, document.value)
        if document.time is not None and view.query.at is not None:
            age = max(0.0, (view.query.at - document.time).total_seconds() / _DAY)
            factor *= _factor(step.recency, 0.5 ** (age / step.half_life_days))
        view.scores[position] = round(score * factor, 6)


@apply.register
def _(step: ops.Filter, view: View) -> None:
    documents = view.collection.documents
    kept = [p for p, score in view.scores.items() if score >= step.min_score and documents[p].trust >= step.min_trust]
    view.keep([p for p in kept if not step.valid or documents[p].valid_at(view.query.at)])


@apply.register
def _(step: ops.Pack, view: View) -> None:
    view.keep(pack(view.best(step.limit), view.collection.tokens, step.budget))


def _lead(view: View, op: str, source: int, position: int, score: float, how: str) -> None:
    why = f"{how} {view.collection.documents[source].id!r}"
    view.add(position, round(score, 6), Reason(primitive=op, score=round(score, 6), why=why))


def _factor(weight: float, value: float) -> float:
    return 1 - weight + weight * value
