"""Arguments that break a rule are shown as the simplest ones that still do."""

from __future__ import annotations

from nucleate_codifier.admission.properties.shrinking import shrunk, simpler
from nucleate_sandbox import JsonObject


def test_what_does_not_matter_goes_away() -> None:
    values: JsonObject = {"text": "abcdef", "number": 40, "rows": [3, 4], "flag": True}
    assert shrunk(values, lambda other: other.get("number") == 40, tries=30) == {"number": 40}


def test_what_matters_becomes_as_simple_as_it_may() -> None:
    found = shrunk({"number": 40}, lambda other: isinstance(n := other.get("number"), int) and n >= 7, tries=30)
    assert found == {"number": 7}


def test_no_more_is_tried_than_was_allowed() -> None:
    made: list[JsonObject] = []

    def still(values: JsonObject) -> bool:
        made.append(values)
        return False

    shrunk({"rows": [*range(1, 50)]}, still, tries=5)
    assert len(made) == 5


def test_the_simplest_has_nothing_simpler_but_its_absence() -> None:
    assert [*simpler({"text": "", "number": 0, "rows": [], "flag": False, "nothing": None})] == [
        {key: value for key, value in (("text", ""), ("number", 0), ("rows", []), ("flag", False), ("nothing", None))
         if key != left_out}
        for left_out in ("text", "number", "rows", "flag", "nothing")
    ]  # fmt: skip
