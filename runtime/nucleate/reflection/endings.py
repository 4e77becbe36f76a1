"""How a run ended, as far as it is stored: its ending, its answer, what a judge compared, what the agent said."""

from __future__ import annotations

import json

from nucleate.reflection.compact import truncated
from nucleate_text_memory import Trajectory
from nucleate_text_memory.values import Json, JsonObject

_ANSWER = 400
_BLOCK = 300
_MOST_BLOCKS = 20
UNKNOWN = "(not recorded)"


def ending_text(trajectory: Trajectory) -> str:
    """Return how a run ended, a line for each thing that is known."""
    run = _object(trajectory.meta.get("run"))
    known = {
        "ended by": run.get("ending"),
        "because": run.get("error"),
        "answer": run.get("answer", trajectory.meta.get("answer")),
        "the judge compared": trajectory.meta.get("judged"),
    }
    lines = [
        f"* {name}: {truncated(_text(value), _ANSWER)}" for name, value in known.items() if value not in (None, "")
    ]
    return "\n".join(lines) or UNKNOWN


def said_text(trajectory: Trajectory) -> str:
    """Return the agent's words and code, block by block, of a long run the last ones."""
    blocks = trajectory.meta.get("blocks")
    texts = [_text(block) for block in blocks] if isinstance(blocks, list) else []
    left_out = len(texts) - _MOST_BLOCKS
    shown = [truncated(text, _BLOCK) for text in texts[-_MOST_BLOCKS:]]
    return "\n\n".join([*([f"({left_out} earlier ones)"] if left_out > 0 else []), *shown]) or UNKNOWN


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
