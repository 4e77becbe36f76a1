"""Syntax that is newer than the Python that judges: named by the line at which the parser stopped.

A second parser would tell more, but a native one ends its process on deep nesting.
"""

from __future__ import annotations

import re
import sys

from nucleate_codifier.values import Finding

_OWN = ".".join(map(str, sys.version_info[:2]))
_SIGNS = (
    (re.compile(r"\A\s*+type\s++[A-Za-z_]\w*+\s*+[=\[]"), "a `type` statement (3.12)"),
    (re.compile(r"\A\s*+(?:async\s++)?(?:def|class)\s++[A-Za-z_]\w*+\s*+\["), "type parameters in brackets (3.12)"),
    (re.compile(r"\A[^#]{0,500}\b[tT][rR]?[\"']"), "a template string (3.14)"),
    (re.compile(r"\A[^#]{0,500}\b[fF][rR]?[\"'][^#]{0,500}\{"), "quotes or backslashes within an f-string (3.12)"),
)


def newer_syntax(text: str, error: BaseException) -> Finding | None:
    """Return what a later Python would read where this one stopped; None where the line shows no sign of it."""
    number = getattr(error, "lineno", None) or 0
    lines = text.split("\n")
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    what = next((what for sign, what in _SIGNS if sign.match(line[:500])), None)
    if what is None or what.partition("(")[2].rstrip(")") <= _OWN:
        return None
    return Finding(
        rule="parse/newer-syntax",
        line=number,
        message=f"not valid in Python {_OWN}, by which tools are judged; it may be {what}",
        fix="write it as earlier versions do",
    )
