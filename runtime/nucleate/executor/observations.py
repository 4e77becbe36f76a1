"""What a model is told of a step: value, output and error, head and tail with what was left out (Metis §3.5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from nucleate.executor.bridge_steps import calls_text, name_of
from nucleate.executor.readable import readable
from nucleate.executor.scope import FINISH, OWN, RECALL, SEARCH, as_in_scope
from nucleate.executor.shortening import shortened
from nucleate_sandbox import Call, Outcome, Output

MOST = 6_000  # characters of one part of an observation
NOTHING = "(nothing was printed, and the last line has no value)"
_RUN = re.compile(r'File "run_(?P<number>\d+)\.py"')
_FRESH = "the block was ended, and every variable is gone"


_OURS = frozenset({FINISH, RECALL, SEARCH})
_NO_BLOCKS: Mapping[int, int] = {}


def observed(outcome: Outcome, *, blocks: Mapping[int, int] = _NO_BLOCKS, most: int = MOST) -> str:
    """Return the observation of one action; each part is shortened by itself.

    `blocks` tells by the session's number of a run which of the model's blocks it was. A block that shows nothing of
    its calls says how each ended, so that none is made again in order to see.
    """
    calls = [call for call in outcome.calls if name_of(call) not in _OURS]
    parts = [
        _part("value", readable(outcome.value), most) if outcome.value is not None else "",
        _output("printed", outcome.stdout, most),
        _output("printed to stderr", outcome.stderr, most),
        _failed(outcome, blocks, most),
    ]
    said = "\n".join(part for part in parts if part)
    if not said and calls:
        return f"nothing was printed; these calls were made:\n{shortened(calls_text(calls), most)}"
    return "\n".join(part for part in (said or NOTHING, _made(outcome, calls)) if part)


def _made(outcome: Outcome, calls: Sequence[Call]) -> str:
    """Return a line on the calls of a block that made several, or made one before it failed."""
    done = [call for call in calls if call.error is None]
    if len(calls) < 2 and not (done and outcome.failure is not None):
        return ""
    times = Counter(name_of(call) for call in done)
    made = ", ".join(name if number == 1 else f"{name} ({number} times)" for name, number in times.items())
    failed = len(calls) - len(done)
    return f"calls made: {made or 'none'}" + (f"; {failed} failed" if failed else "")


def _part(name: str, text: str, most: int) -> str:
    short = shortened(text.rstrip("\n"), most)
    return f"{name}: {short}" if "\n" not in short else f"{name}:\n{short}"


def _output(name: str, output: Output, most: int) -> str:
    if not output.text:
        return ""
    size = f" ({output.total_bytes:,} bytes)" if output.total_bytes > most else ""
    return _part(f"{name}{size}", output.text, most)


def _failed(outcome: Outcome, blocks: Mapping[int, int], most: int) -> str:
    error, failure = outcome.error, outcome.failure
    if error is not None and error.limit is not None:
        return f"error: it {error.ending}; {_FRESH}"
    if failure is None:
        return ""
    message = failure.message if failure.from_environment else as_in_scope(failure.message)
    said = shortened(f"error: {failure.kind}: {message}", most)
    where = shortened(_frames(failure.traceback, blocks), most // 4)
    return f"{said}\n{where}" if where else said


def _frames(traceback: str, blocks: Mapping[int, int]) -> str:
    """Return where it happened in the model's own blocks: the frames of our functions say nothing to it."""
    frames = re.split(r"^(?=  File )", traceback, flags=re.MULTILINE)[1:]
    kept = (frame for frame in frames if f"_{OWN}." not in frame)
    lines = (line for frame in kept for line in frame.splitlines() if line.startswith("  ") and line.strip("^~ "))
    return "\n".join(_RUN.sub(lambda found: _block(int(found["number"]), blocks), line) for line in lines)


def _block(number: int, blocks: Mapping[int, int]) -> str:
    """Name one of the model's blocks as the model counts them, the one that just ran as this one."""
    if number not in blocks:
        return "an earlier block"
    return "this block" if number == max(blocks) else f"your block {blocks[number]}"
