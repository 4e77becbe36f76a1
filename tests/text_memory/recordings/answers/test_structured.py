"""Answers that are text with a structure: a form for all answers of a function, or none."""

from __future__ import annotations

import pytest

from nucleate_text_memory.recordings.answers.structured import TextForm, form_of, forms_of, read_as, structured
from nucleate_text_memory.values import Json
from tests.text_memory.runs import failed, ok, run

FORMS: list[tuple[TextForm, str, Json]] = [
    (TextForm.JSON, 'Found 2 orders:\n[{"id": "W1"}, {"id": "W2"}]', [{"id": "W1"}, {"id": "W2"}]),
    (TextForm.JSON, 'Here it is:\n```json\n{"id": 7}\n```\nBye.', {"id": 7}),
    (TextForm.PYTHON, "{'name': 'tea', 'left': None, 'sizes': (1, 2), 'sold': True}", {
        "name": "tea", "left": None, "sizes": [1, 2], "sold": True
    }),
    (TextForm.PYTHON, "None", None),
    (TextForm.YAML, "- id: 7\n  day: 2024-05-15\n  code: 007\n  ok: true\n  answer: no\n  price: 1.5\n  note:", [
        {"id": 7, "day": "2024-05-15", "code": "007", "ok": True, "answer": "no", "price": 1.5, "note": None}
    ]),
    (TextForm.YAML, "owner: ada\nfiles:\n- '12'\n- b", {"owner": "ada", "files": ["12", "b"]}),
    (TextForm.YAML, "- general\n- random", ["general", "random"]),
    (TextForm.TABLE, "| id | name |\n|---:|:---|\n| 7 | tea |\n| 8 | |", [{"id": 7, "name": "tea"}, {"id": 8, "name": None}]),
    (TextForm.CSV, 'id,name\n7,"tea, green"\n8,mate', [{"id": 7, "name": "tea, green"}, {"id": 8, "name": "mate"}]),
    (TextForm.PAIRS, "Airline: BA, Number: BA123, Price: 200\nAirline: LH, Number: LH7, Price: 90.5", [
        {"Airline": "BA", "Number": "BA123", "Price": 200}, {"Airline": "LH", "Number": "LH7", "Price": 90.5}
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "value"), FORMS)
def test_a_text_is_read_in_the_form_that_it_has(form: TextForm, text: str, value: Json) -> None:
    assert form_of([text, None, 7, {"already": "a value"}]) is form
    assert read_as(form, text) == value


def test_a_heading_with_lines_below_it_is_a_list_where_two_answers_read_so() -> None:
    answers: list[Json] = ["Hotels in Paris: Ritz\nLutetia", "Hotels in Ulm: "]
    assert form_of(answers) is TextForm.LISTING
    assert [read_as(TextForm.LISTING, str(text)) for text in answers] == [
        {"Hotels in Paris": ["Ritz", "Lutetia"]},
        {"Hotels in Ulm": []},
    ]


PROSE = [
    ["Order W1 was cancelled."],
    ["Note: the order was cancelled"],
    ["Hello, friend\nGood, bye", "Nothing"],
    ["- a\n- b", "There is nothing."],
    ["id: 1\nname: a", "total: 1\ncount: 2"],
    ["a,b\n1,2", "c,d\n1,2"],
    ["Mode: fast", "Mode: slow"],
    ["x: &a [1]\ny: *a"],
    ["- !!python/name:os.system"],
    ["[" * 5000 + "]" * 5000],
    ["- a\n" * 100_000],
    ["id: 1\n[… 900 characters left out …]\nname: a"],
    [],
    [7, {"a": 1}],
]


@pytest.mark.parametrize("answers", PROSE, ids=range(len(PROSE)))
def test_prose_and_answers_that_are_not_alike_have_no_form(answers: list[Json]) -> None:
    assert form_of(answers) is None


def test_functions_are_read_by_their_own_form_and_errors_stay_errors() -> None:
    first = run("t1", ok("shop.list", "- id: W1\n  state: late"), ok("shop.note", "Thanks."), query="q")
    second = run("t2", ok("shop.list", "- id: W2\n  state: sent"), failed("shop.list", "- id: W9"), query="q")
    forms = forms_of([first, second])
    assert forms == {"shop.list": TextForm.YAML}
    assert [step.result for step in structured(first, forms).steps] == [[{"id": "W1", "state": "late"}], "Thanks."]
    assert structured(second, forms).steps[1] == failed("shop.list", "- id: W9")
