"""Source in colours, on the server: lines of spans with the classes of Pygments."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.diff import DiffLexer
from pygments.lexers.python import PythonLexer

from nucleate.shown.visible import visible

LONGEST = 200_000


@lru_cache(maxsize=256)
def python_lines(source: str) -> Markup:
    """Return Python as highlighted HTML."""
    return _in_colours(source, PythonLexer(stripnl=False))


@lru_cache(maxsize=64)
def diff_lines(text: str) -> Markup:
    """Return a unified diff as highlighted HTML."""
    return _in_colours(text, DiffLexer(stripnl=False))


def _in_colours(text: str, lexer: PythonLexer | DiffLexer) -> Markup:
    seen = visible(text[:LONGEST])
    return Markup(highlight(seen, lexer, HtmlFormatter(nowrap=True)))  # noqa: S704 - Pygments escapes what it is given
