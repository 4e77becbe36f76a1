"""Ranking fuses words and meaning, and its order is the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from nucleate_text_memory import LocalEmbedder, rank
from nucleate_text_memory.retrieval.words import tokens
from tests.text_memory.runs import LetterEmbedder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("retail.get_order_details", ["retail", "get", "order", "detail"]),
        ("getOrderDetails HTTP404", ["get", "order", "detail", "http404"]),
        ("The status of the order is: #W7242815", ["status", "order", "w7242815"]),
        ("在庫確認", ["在庫", "庫確", "確認"]),
        ("茶", ["茶"]),
        ("Tee für Zoë", ["tee", "für", "zoë"]),
        ("", []),
    ],
)
def test_tokens_are_words_parts_of_identifiers_and_bigrams(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_the_score_is_half_the_reciprocal_rank_by_meaning_and_half_that_by_words() -> None:
    documents = {"w": "c zebra c", "x": "a zebra", "y": "aab", "z": "ddd"}
    # The query's vector is (2, 1, 0, 0)/√5: x and y share rank 0, w has rank 2. By words x comes before w.
    assert rank("a zebra", documents, embedder=LetterEmbedder()) == [
        ("x", 1.0),
        ("w", round((10 / 12 + 10 / 11) / 2, 6)),
        ("y", 0.5),
        ("z", 0.0),
    ]


def test_equal_scores_come_in_the_order_of_their_ids() -> None:
    documents = {"b": "same words", "a": "same words", "c": "same words"}
    ranked = rank("words", documents, embedder=LocalEmbedder())
    assert [name for name, _ in ranked] == ["a", "b", "c"]
    assert len({score for _, score in ranked}) == 1


def test_nothing_to_rank_and_nothing_to_ask_are_no_errors() -> None:
    assert rank("words", {}, embedder=LocalEmbedder()) == []
    assert rank("", {"a": "words", "b": ""}, embedder=LocalEmbedder()) == [("a", 0.0), ("b", 0.0)]


def test_local_vectors_have_length_one_and_a_text_without_tokens_is_zero() -> None:
    embedder = LocalEmbedder()
    rows = embedder.embed(["refund the order", "", "注文"])
    assert (rows.shape, rows.dtype) == ((3, embedder.dimension), np.dtype(np.float32))
    assert np.linalg.norm(rows, axis=1).round(5).tolist() == [1.0, 0.0, 1.0]


def test_local_vectors_do_not_depend_on_the_company_of_a_text() -> None:
    embedder = LocalEmbedder()
    alone = embedder.embed(["refund"])
    together = embedder.embed(["a much longer text about something else", "refund"])
    assert alone[0].tolist() == together[1].tolist()
