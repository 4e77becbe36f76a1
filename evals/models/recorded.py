"""Exchanges that were recorded once: what the two scripted models replied in runs, read again without any of them.

python -m evals.models.recorded N    # records the first N tasks anew
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.models.retail_tasks import train_tasks
from evals.models.scripted import blocks_of, plain, written
from nucleate.executor.actions import read_action
from nucleate.executor.loop import TRIES
from nucleate.executor.prompting import PROMPTS
from nucleate_codifier.chat import Malformed, Reply, ReplyEnding

FILE = Path(__file__).parent / "exchanges.jsonl"
SEED = 7


@dataclass(kw_only=True)
class Replayed:
    """How many runs and replies were read, and how many runs ended because replies could not be read."""

    runs: int = 0
    replies: int = 0
    unread: int = 0
    lost: int = 0


def replayed(file: Path = FILE) -> Replayed:
    """Read every recorded reply as the executor does."""
    found = Replayed()
    for line in file.read_text(encoding="utf-8").splitlines():
        in_a_row = most = 0
        for item in json.loads(line)["replies"]:
            found.replies += 1
            in_a_row = 0 if _readable(Reply(text=item["text"], ending=ReplyEnding(item["ending"]))) else in_a_row + 1
            found.unread += in_a_row > 0
            most = max(most, in_a_row)
        found.runs += 1
        found.lost += most >= TRIES
    return found


def record(tasks: int, file: Path = FILE) -> None:
    """Write down the replies of both models on the first tasks."""
    with file.open("w", encoding="utf-8") as out:
        for model in ("careful", "mid-range"):
            for task in train_tasks(tasks):
                blocks = blocks_of(task, PROMPTS.render("system", environment="", functions="", more=""))
                replies = [{"text": text, "ending": ending.value} for text, ending in _said(model, blocks)]
                out.write(json.dumps({"model": model, "task": task.id, "replies": replies}) + "\n")


def _said(model: str, blocks: list[str]) -> Iterator[tuple[str, ReplyEnding]]:
    """Yield the replies to a run: one that cannot be read is followed by another try at the same block."""
    for at, code in enumerate(blocks):
        for tried in range(TRIES):
            chance = random.Random(f"{SEED}:{at}:{tried}:{code}")
            text, ending = (plain(code), ReplyEnding.COMPLETE) if model == "careful" else written(code, chance)
            yield text, ending
            if _readable(Reply(text=text, ending=ending)):
                break


def _readable(reply: Reply) -> bool:
    try:
        read_action(reply)
    except Malformed:
        return False
    return True


if __name__ == "__main__":
    record(int(sys.argv[1]))
