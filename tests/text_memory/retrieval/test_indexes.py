"""The indexes find what a full comparison finds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nucleate_text_memory.retrieval.dense import ExactIndex, SignIndex
from nucleate_text_memory.retrieval.entities import entities
from nucleate_text_memory.retrieval.lexical import LexicalIndex
from nucleate_text_memory.retrieval.packing import pack
from nucleate_text_memory.retrieval.words import estimate_tokens

DOCUMENTS = [["refund", "order"], ["order", "order", "book"], [], ["book"]]


def test_bm25_is_the_published_formula() -> None:
    index = LexicalIndex(DOCUMENTS)
    idf = math.log(1 + (4 - 2 + 0.5) / 2.5)
    first = idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 1.5))
    second = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 1.5))
    positions, scores = index.search({"order": 1.0}, 10)
    assert positions.tolist() == [1, 0]
    assert scores.tolist() == pytest.approx([second, first])


def test_the_score_of_given_documents_is_that_of_the_search() -> None:
    index = LexicalIndex(DOCUMENTS)
    wanted = {"order": 1.0, "book": 0.5, "none": 1.0}
    positions, scores = index.search(wanted, 10)
    assert index.score(wanted, positions).tolist() == pytest.approx(scores.tolist())
    assert index.score(wanted, np.array([-1, 2])).tolist() == [0.0, 0.0]


def test_groups_are_indexed_as_one_document_each() -> None:
    grouped = LexicalIndex.grouped(LexicalIndex(DOCUMENTS), np.array([0, 0, 1, -1], dtype=np.int32))
    whole = LexicalIndex([["refund", "order", "order", "order", "book"], []])
    everything = np.arange(2)
    for word in ("refund", "order", "book"):
        assert grouped.score({word: 1.0}, everything).tolist() == pytest.approx(
            whole.score({word: 1.0}, everything).tolist()
        )


def test_signs_find_nearly_all_of_the_nearest_rows() -> None:
    random = np.random.default_rng(0)
    centres = random.standard_normal((300, 256), dtype=np.float32)
    rows = centres[random.integers(0, 300, 30_000)] + random.standard_normal((30_000, 256), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    exact, signs = ExactIndex(rows), SignIndex(rows)
    found = 0
    for row in rows[:20]:
        nearest, cosines = exact.search(row, 10)
        by_sign, same = signs.search(row, 10)
        assert (nearest[0], cosines[0]) == (by_sign[0], same[0])
        found += len(set(nearest.tolist()).intersection(by_sign.tolist()))
    assert found >= 198


def test_signs_take_any_dimension() -> None:
    rows = np.eye(5, dtype=np.float32)
    positions, scores = SignIndex(rows).search(rows[3], 2)
    assert (positions.tolist(), scores.tolist()) == ([3], [1.0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please ask Maria Lopez about it", ["maria lopez"]),
        ("What does E-4711 mean?", ["e-4711"]),
        ("call shop.find_order for #W7242815", ["shop.find_order", "w7242815"]),
        ('She said "on the house" and left', ["on the house"]),
        ("Did Ada's brother write?", ["ada"]),
        ("nothing of the kind", []),
    ],
)
def test_entities_are_names_codes_and_quoted_words(text: str, expected: list[str]) -> None:
    assert entities(text) == expected


def test_a_document_that_is_too_long_is_passed_over_for_one_that_fits() -> None:
    costs = {0: 50, 1: 80, 2: 30, 3: 30}
    assert pack([0, 1, 2, 3], costs.__getitem__, 100) == [0, 2]
    assert pack([0, 1, 2, 3], costs.__getitem__, None) == [0, 1, 2, 3]
    assert pack([0], costs.__getitem__, 10) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [("the order", 2), ("E-4711!", 4), ("internationalisation", 3), ("注文を確認", 5), ("", 0), ("a_b", 3)],
)
def test_tokens_are_estimated_by_words_pieces_and_characters(text: str, count: int) -> None:
    assert estimate_tokens(text) == count
