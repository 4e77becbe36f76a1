"""What strangers wrote, as what it is: nothing in it is obeyed by a terminal, a browser or a reader's eye."""

from __future__ import annotations

import json
import re
from typing import Any

# C0 but for tab and line feed, DEL and C1; line and paragraph separators; bidi and invisible marks; tags.
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Return a text in which nothing is obeyed; also half of a surrogate pair is written out."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return OBEYED.sub(lambda found: _written(found[0]), text)


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """Return a value as JSON with a line end; what a terminal would obey is escaped as JSON escapes it."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return OBEYED.sub(lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text) + "\n"


def _written(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
