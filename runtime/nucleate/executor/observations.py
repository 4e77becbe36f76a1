"""What a model is told of a step: value, output and error, head and tail with what was left out (Metis §3.5)."""

from __future__ import annotations

import json
import re

from nucleate.executor.scope import OWN, as_in_scope
from nucleate_sandbox import Json, Outcome, Output

MOST = 6_000  # characters of one part of an observation
NOTHING = "(nothing was printed, and the last line has no value)"
_FRESH = "the block was ended, and every variable is gone"


def observed(outcome: Outcome, *, most: int = MOST) -> str:
    """Return the observation of one action; each part is shortened by itself."""
    parts = [
        _part("value", _json(outcome.value), most) if outcome.value is not None else "",
        _output("printed", outcome.stdout, most),
        _output("printed to stderr", outcome.stderr, most),
        _failed(outcome, most),
    ]
    return "\n".join(part for part in parts if part) or NOTHING


def shortened(text: str, most: int) -> str:
    """Return Trunc(x; h) = head ‖ … ‖ tail with the number of bytes that were left out."""
    if len(text) <= most:
        return text
    head, tail = text[: most * 2 // 3], text[-(most // 3) :]
    left_out = len(text.encode("utf-8", "replace")) - len((head + tail).encode("utf-8", "replace"))
    return f"{head}\n… {left_out:,} bytes left out …\n{tail}"


def _part(name: str, text: str, most: int) -> str:
    short = shortened(text.rstrip("\n"), most)
    return f"{name}: {short}" if "\n" not in short else f"{name}:\n{short}"


def _output(name: str, output: Output, most: int) -> str:
    if not output.text:
        return ""
    size = f" ({output.total_bytes:,} bytes)" if output.total_bytes > most else ""
    return _part(f"{name}{size}", output.text, most)


def _failed(outcome: Outcome, most: int) -> str:
    error, failure = outcome.error, outcome.failure
    if error is not None and error.limit is not None:
        return f"error: it {error.ending}; {_FRESH}"
    if failure is None:
        return ""
    message = failure.message if failure.from_environment else as_in_scope(failure.message)
    said = shortened(f"error: {failure.kind}: {message}", most)
    where = shortened(_frames(failure.traceback), most // 4)
    return f"{said}\n{where}" if where else said


def _frames(traceback: str) -> str:
    """Return where it happened in the model's own blocks: the frames of our functions say nothing to it."""
    frames = re.split(r"^(?=  File )", traceback, flags=re.MULTILINE)[1:]
    kept = [frame for frame in frames if f"_{OWN}." not in frame]
    return "\n".join(line for frame in kept for line in frame.splitlines() if line.startswith("  "))


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
