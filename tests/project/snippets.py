"""The Python blocks of README and docs: a block right after `<!-- run -->` is a promise that it runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^<!-- run -->\n+```python\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """One block that promises to run, and where it stands."""

    path: Path
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}"


def snippets(path: Path) -> list[Snippet]:
    """Return the blocks of a Markdown file that are marked to run, in order."""
    text = path.read_text(encoding="utf-8")
    return [
        Snippet(path=path, line=text.count("\n", 0, found.start("code")) + 1, code=found["code"])
        for found in BLOCK.finditer(text)
    ]
