"""The one way to the screen: a console on which what strangers wrote is visible, and obeyed by no terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from nucleate.shown.visible import OBEYED, visible


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
