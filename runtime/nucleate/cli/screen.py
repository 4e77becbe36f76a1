"""The one way to the screen: what strangers wrote is shown as what it is, and never obeyed by a terminal.

Escape sequences, control characters of both sets and marks that turn the direction of writing are written out as
`\\x1b`, `\\u202e`. Colours are ours: they are put around a text after this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

# C0 but for tab and line feed, DEL and C1; line and paragraph separators; bidi and invisible marks; tags.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Return a text in which nothing is obeyed; also half of a surrogate pair is written out."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return _OBEYED.sub(lambda found: _written(found[0]), text)


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """Return a value as JSON with a line end; what a terminal would obey is escaped as JSON escapes it."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return _OBEYED.sub(lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text) + "\n"


def _written(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Screen(Console):
    """A console on which every text is visible, whatever it was put into: a table, a panel, a line."""

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a string as a text; made visible before its width is measured."""
        return super().render_str(visible(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is to be shown, each text of it made visible."""
        for segment in super().render(renderable, options):
            if segment.control or not _OBEYED.search(segment.text):
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)
