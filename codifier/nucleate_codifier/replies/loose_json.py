"""JSON as models write it: found wherever it stands, with the slips that leave one reading.

Beyond JSON it takes trailing and missing commas, comments, typographic and single quotes, bare keys, raw line breaks in
texts, Python's names for true, false and null, and Python's long strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nucleate_sandbox import Json, JsonObject

LONGEST = 400_000  # characters of a reply that are looked at
DEEPEST = 60
MOST_STARTS = 60  # brackets that open nothing readable, before the search ends

_SPACE = re.compile(r"(?:[\s;]++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|#[^\n]*+)*+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?P<part>\.\d++)?+(?P<power>[eE][+-]?\d++)?+(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w.$-]*+")
_NAMED = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_TEXTS = {
    '"': re.compile(r'"(?P<inside>(?:[^"\\]|\\.)*+)"', re.DOTALL),
    "'": re.compile(r"'(?P<inside>(?:[^'\\]|\\.)*+)'", re.DOTALL),
    "“": re.compile(r"“(?P<inside>(?:[^”“\\]|\\.)*+)[”“]", re.DOTALL),
    "”": re.compile(r"”(?P<inside>(?:[^”\\]|\\.)*+)”", re.DOTALL),
    "‘": re.compile(r"‘(?P<inside>(?:[^’‘\\]|\\.)*+)[’‘]", re.DOTALL),
    "`": re.compile(r"`(?P<inside>(?:[^`\\]|\\.)*+)`", re.DOTALL),
}
_LONG = re.compile(r'"""(?P<inside>(?:[^"\\]|\\.|"(?!""))*+)"""', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_PAIR = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")


class NoValue(ValueError):
    """No value begins here; `at` is where that became clear."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


@dataclass(frozen=True, kw_only=True)
class FoundValue:
    """A value and where it stands."""

    value: JsonObject | list[Json]
    start: int
    stop: int


def found_values(text: str) -> Iterator[FoundValue]:
    """Yield the outermost objects and lists of a text, in order."""
    at = failed = 0
    text = text[:LONGEST]
    while failed < MOST_STARTS and (start := _bracket(text, at)) is not None:
        if text.startswith("{{", start):  # braces doubled, as in a template that was never filled in
            text = text[:start] + text[start:].replace("{{", "{").replace("}}", "}")
        try:
            value, at = _value(text, start, 0)
        except NoValue:
            failed, at = failed + 1, start + 1
            continue
        if isinstance(value, dict | list):
            yield FoundValue(value=value, start=start, stop=at)


def fault_of(text: str) -> str:
    """Return why the first object of a text cannot be read; empty where none begins."""
    start = text.find("{")
    if start < 0:
        return ""
    try:
        _value(text[:LONGEST], start, 0)
    except NoValue as fault:
        line = text.count("\n", 0, fault.at) + 1
        return f"{fault}, at line {line} after {text[max(start, fault.at - 30) : fault.at]!r}"
    return ""


def loads(text: str) -> Json:
    """Return the one value that a text is; raise NoValue where it is none, or more."""
    start = _after(text, 0)
    value, at = _value(text, start, 0)
    if _after(text, at) != len(text):
        raise NoValue("something follows the value", at)
    return value


def _bracket(text: str, at: int) -> int | None:
    found = [where for mark in "{[" if (where := text.find(mark, at)) >= 0]
    return min(found, default=None)


def _after(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> tuple[Json, int]:
    if depth > DEEPEST:
        raise NoValue("it is nested too deep", at)
    mark = text[at : at + 1]
    if mark == "{":
        return _object(text, at + 1, depth)
    if mark == "[":
        return _list(text, at + 1, depth)
    if mark in _TEXTS and mark:
        return _text(text, at)
    if number := _NUMBER.match(text, at):
        whole = not (number["part"] or number["power"])
        return (int(number[0]) if whole and len(number[0]) < 400 else float(number[0])), number.end()
    if (word := _WORD.match(text, at)) and word[0] in _NAMED:
        return _NAMED[word[0]], word.end()
    raise NoValue("the JSON ends in the middle" if not mark else "a value is missing", at)


def _text(text: str, at: int) -> tuple[str, int]:
    if found := _LONG.match(text, at):
        return found["inside"], found.end()
    found = _TEXTS[text[at]].match(text, at)
    if found is None:
        raise NoValue("a text is not closed", len(text))
    inside = _ESCAPE.sub(_escaped, found["inside"])
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), inside), found.end()


def _escaped(found: re.Match[str]) -> str:
    code, char = found.groups()
    if code:
        return chr(int(code, 16))
    return _PLAIN.get(char, char if char in "\"'\\/`“”‘’_" else f"\\{char}")


def _object(text: str, at: int, depth: int) -> tuple[JsonObject, int]:
    found: JsonObject = {}
    at = _after(text, at)
    while text[at : at + 1] != "}":
        name, at = _key(text, at)
        at = _after(text, at)
        if text[at : at + 1] != ":":
            raise NoValue(f"a colon is missing after {name!r}", at)
        found[name], at = _value(text, _after(text, at + 1), depth + 1)
        at = _next(text, at, "}")
    return found, at + 1


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] in _TEXTS and at < len(text):
        return _text(text, at)
    if word := _WORD.match(text, at):
        return word[0], word.end()
    raise NoValue("the object is not closed" if at >= len(text) else "a key is missing", at)


def _list(text: str, at: int, depth: int) -> tuple[list[Json], int]:
    found: list[Json] = []
    at = _after(text, at)
    while text[at : at + 1] != "]":
        value, at = _value(text, at, depth + 1)
        found.append(value)
        at = _next(text, at, "]")
    return found, at + 1


def _next(text: str, at: int, closing: str) -> int:
    """Return where the next item begins, or the closing bracket stands."""
    after = _after(text, at)
    if text[after : after + 1] == ",":
        return _after(text, after + 1)
    if text[after : after + 1] == closing or (closing == "}" and "\n" in text[at:after]):
        return after
    raise NoValue("the JSON ends in the middle" if after >= len(text) else "a comma is missing", after)
