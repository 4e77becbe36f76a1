"""The one way to the screen: what strangers wrote is shown as what it is, and never obeyed by a terminal.

Escape sequences, control characters of both sets and marks that turn the direction of writing are written out as
`\\x1b`, `\\u202e`. Colours are ours: they are put around a text after this.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from nucleate.shown.visible import OBEYED, visible


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """Return a value as JSON with a line end; what a terminal would obey is escaped as JSON escapes it."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return OBEYED.sub(lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text) + "\n"


class Screen(Console):
    """A console on which every text is visible, whatever it was put into: a table, a panel, a line."""

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a string as a text; made visible before its width is measured."""
        return super().render_str(visible(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is to be shown, each text of it made visible."""
        for segment in super().render(renderable, options):
            if segment.control or not OBEYED.search(segment.text):
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)
