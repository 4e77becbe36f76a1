"""The retrieval evaluation counts evidence as it says, and runs on conversations of a few turns."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evals.retrieval.__main__ import main
from evals.retrieval.fitting import logistic
from evals.retrieval.locomo import conversations, data_folder
from evals.retrieval.measures import Found, Shares, shares
from evals.retrieval.speed import measure

TURNS = ["Hey Cal! How was Oslo?", "Great, we rented a boat.", "The invoice INV-20 is unpaid.", "I sold the car."]


def write(folder: Path, name: str = "26") -> None:
    turns = [
        {
            "id": f"D1:{n}",
            "session": 1,
            "date": "1:05 pm on 2 May, 2023",
            "speaker": ("Ann", "Cal")[n % 2],
            "text": text,
        }
        for n, text in enumerate(TURNS)
    ]
    questions = [
        {"question": "What did Cal rent in Oslo?", "category": 4, "evidence": ["D1:0", "D1:1"]},
        {"question": "Which invoice is unpaid?", "category": 1, "evidence": ["D1:2", "D9:9"]},
        {"question": "Adversarial?", "category": 5, "evidence": ["D1:3"]},
        {"question": "Without evidence?", "category": 2, "evidence": []},
    ]
    data = {"id": name, "speakers": ["Ann", "Cal"], "turns": turns, "questions": questions}
    (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")


def test_questions_without_usable_evidence_and_of_the_fifth_category_are_left_out(tmp_path: Path) -> None:
    write(tmp_path)
    (found,) = conversations(tmp_path, embedder=None)
    assert [(q.category, sorted(q.evidence)) for q in found.questions] == [(4, ["D1:0", "D1:1"]), (1, ["D1:2"])]
    assert found.collection.documents[1].shown == "[2023-05-02 13:05] Cal: Great, we rented a boat."


def test_without_data_the_next_step_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"give --data FOLDER, or set NUCLEATE_LOCOMO"):
        data_folder(tmp_path)


def test_recall_is_pooled_and_mean_and_full_means_all() -> None:
    found = [
        Found(conversation="a", category=1, found=1, wanted=4),
        Found(conversation="a", category=1, found=1, wanted=1),
        Found(conversation="a", category=1, found=0, wanted=1),
    ]
    assert shares(found) == Shares(
        hit=2 / 3, recall=2 / 6, mean_recall=1.25 / 3, full=1 / 3, questions=3, low=2 / 3, high=2 / 3
    )


def test_the_fit_finds_the_weight_that_tells_labels_apart() -> None:
    rows = np.array([[0.0, 5.0], [1.0, 5.0], [0.2, 5.0], [0.9, 5.0]])
    weights, bias = logistic(rows, np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))
    assert weights[0] > 1
    assert weights[1] == pytest.approx(0)
    assert weights[0] * 0.55 + bias == pytest.approx(0, abs=0.3)


def test_a_small_run_writes_the_figures_by_name_and_the_chart(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, "47")
    out, chart = tmp_path / "out" / "r.json", tmp_path / "out" / "r.png"
    main(["--data", str(tmp_path), "--sizes", "--json", str(out), "--png", str(chart)])
    figures = json.loads(out.read_text(encoding="utf-8"))["figures"]
    assert figures["b500"] == {"hit": 1.0, "recall": 1.0, "full": 1.0}
    assert {"b1000", "b1900_heldout", "b4000", "search_p95_ms_1e6", "recall_vs_exact_1e6"} <= set(figures)
    assert chart.read_bytes().startswith(b"\x89PNG")


def test_speed_is_measured_among_synthetic_entries() -> None:
    measured = measure(200)
    assert (measured.entries, measured.recall_vs_exact) == (200, 1.0)
    assert 0 < measured.median_ms <= measured.p95_ms
