"""Regular expressions as JSON schemas write them (ECMA-262), rewritten for the engines that run them here.

Source: ECMA-262, 15th edition, section 22.2 and annex B.1.2; JSON Schema 2020-12 core, section 6.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_COUNT = re.compile(r"\{\d{1,9}(?:,\d{0,9})?\}")
_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_NUMBER = re.compile(r"\d{1,9}")
CLASSES = {"d": "0-9", "w": "A-Za-z0-9_", "D": "", "W": ""}
NEGATED = {"D": "[^0-9]", "W": "[^A-Za-z0-9_]"}
KEPT = frozenset("sSbBtnrfvxupPkzAZ123456789")
MANY = 50  # what `*` and `+` weigh: less than they can match, since the engine walks the text once


def for_rust(pattern: str) -> str:
    """Return the expression for Rust's engine, which is linear and has neither look-around nor references back."""
    return "".join(_rewritten(pattern, end=r"\z", brace=r"\{"))


def for_python(pattern: str) -> str:
    """Return the expression for Python's engine, which has both and takes as long as it likes."""
    text = "".join(_rewritten(pattern, end=r"\Z", brace=r"\{"))
    return re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", text).replace(r"\k<", "(?P=<")


def weight(pattern: str) -> int:
    """Return how many states an expression may have at the most: its length times all its counts."""
    product = len(pattern) + 1
    for found in _COUNT.findall(pattern):
        product *= max(1, *(int(number) for number in _NUMBER.findall(found)))
        if product > 10**12:
            break
    return product


def _rewritten(pattern: str, *, end: str, brace: str) -> Iterator[str]:
    pattern = _PAIR.sub(_joined, pattern)
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "\\":
            yield _escape(pattern[at + 1 : at + 2])
            at += 2
        elif letter == "[":
            text, at = _class(pattern, at)
            yield text
        elif letter == "$":
            yield end
            at += 1
        elif letter == "{" and not _COUNT.match(pattern, at):
            yield brace
            at += 1
        else:
            yield letter
            at += 1


def _joined(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return re.escape(chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))


def _escape(letter: str) -> str:
    """Rewrite one escape outside of a class; a letter without a meaning stands for itself."""
    if letter in NEGATED:
        return NEGATED[letter]
    if letter in CLASSES:
        return f"[{CLASSES[letter]}]"
    return _plain(letter)


def _plain(letter: str) -> str:
    if letter == "0":
        return r"\x00"
    if letter == "Z":
        return r"\z"
    if letter in KEPT or not letter:
        return f"\\{letter}"
    return re.escape(letter)


def _class(pattern: str, at: int) -> tuple[str, int]:
    """Rewrite a class of characters, in which both engines give meanings to more than ECMA does."""
    if pattern.startswith("[^]", at):
        return r"[\s\S]", at + 3
    if pattern.startswith("[]", at):
        return r"[^\s\S]", at + 2
    parts = ["["]
    at += 1
    if pattern.startswith("^", at):
        parts.append("^")
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        part, at = _member(pattern, at)
        parts.append(part)
    return "".join([*parts, pattern[at : at + 1]]), at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    letter = pattern[at]
    if letter == "\\":
        escaped = pattern[at + 1 : at + 2]
        inside = {"b": r"\x08", "D": r"\D", "W": r"\W", **{key: CLASSES[key] for key in "dw"}}
        return inside.get(escaped, _plain(escaped)), at + 2
    if letter == "-" and (pattern[at - 1] in "wdsWDS" and pattern[at - 2 : at - 1] == "\\"):
        return r"\-", at + 1  # after a class it is no range
    return (f"\\{letter}" if letter in "[&~" else letter), at + 1
