"""Canonical text and the strict parser."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Json, JsonError, canonical, parse

VALUES: list[Json] = [
    None,
    True,
    0,
    -1,
    2**200,
    0.5,
    -0.0,
    "",
    "é 漢字 👩‍🚀 \x00",
    [],
    {},
    [1, {"a": [None, {"b": "c"}]}],
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_survives_its_canonical_text(value: Json) -> None:
    assert repr(parse(canonical(value))) == repr(value)


def test_equal_objects_share_one_text() -> None:
    assert canonical({"b": 1, "a": [1, "é"]}) == canonical({"a": [1, "é"], "b": 1}) == '{"a":[1,"é"],"b":1}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"a", print, [float("-inf")]], ids=repr)
def test_what_is_no_json_value_has_no_canonical_text(value: Json) -> None:
    with pytest.raises(JsonError, match="not a JSON value"):
        canonical(value)


def test_a_value_that_holds_itself_has_no_canonical_text() -> None:
    value: list[Json] = []
    value.append(value)
    with pytest.raises(JsonError, match="Circular"):
        canonical(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NaN", "NaN is not JSON"),
        ("[Infinity]", "Infinity is not JSON"),
        ("-Infinity", "-Infinity is not JSON"),
        ("1e999", "1e999 is too large for a number"),
        ("9" * 5000, "4300"),
        ('{"a": 1, "a": 2}', "an object has a key twice"),
        ("[1] 2", "Extra data"),
        ("", "Expecting value"),
        ("'a'", "Expecting value"),
        ("[" * 65 + "]" * 65, "nested deeper than 64 levels"),
        ("[" * 100_000, "maximum recursion depth exceeded"),
        ('"\\ud800"', "half of a surrogate pair"),
        ('{"\\udfff": 1}', "half of a surrogate pair"),
        ("\ud800", "surrogates not allowed"),
        (b"\xff\xfe1\x00", "invalid start byte"),
        (b'"\xed\xa0\x80"', "invalid continuation byte"),
        (b'"\xff"', "invalid start byte"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_what_is_no_strict_json_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(JsonError, match=message):
        parse(text)


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert parse('"\\ud83d\\ude00"') == "😀"


def test_nesting_up_to_the_limit_is_accepted() -> None:
    assert canonical(parse("[" * 64 + "]" * 64)) == "[" * 64 + "]" * 64


def test_size_is_counted_in_bytes() -> None:
    assert parse('"漢"', max_bytes=5) == "漢"
    with pytest.raises(JsonError, match="5 bytes of JSON; the limit is 4"):
        parse('"漢"', max_bytes=4)
