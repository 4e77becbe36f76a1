"""A worker that kills itself: `python -m evals.loop.kills_worker DATABASE COUNTS POINT`.

It learns from what is queued in the database and ends with SIGKILL at the POINT-th statement or commit that a job of
codification or reflection makes; with POINT 0 it works to the end, and writes how many such points there are to COUNTS.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Engine, event

from nucleate import Runtime, Settings
from nucleate_codifier.chat import Message, ScriptedModel
from nucleate_sandbox import MontySandbox

KINDS = frozenset({"codify", "reflect", "review"})
FACT = {
    "kind": "fact",
    "subject": "tickets of desk.open_ticket",
    "predicate": "are numbered by",
    "value": "the customer and the length of what was said",
}
PITFALL = {
    "kind": "pitfall",
    "trigger": "a customer is known by name alone when desk.find_customer is called",
    "mistake": "desk.find_customer is given the name, although it wants an address",
    "consequence": "the call fails and is made again",
}


def main(arguments: Sequence[str]) -> int:
    """Work, and die where it was said."""
    database, counts, point = arguments
    settings = Settings(
        database=database, worker="inline", reflection="model", codifier="trace", allow_provisional=True
    )
    with MontySandbox() as sandbox, Runtime(settings=settings, sandbox=sandbox, model=reviewer()) as runtime:
        points = _Points(runtime, die_at=int(point))
        runtime.resume()
        Path(counts).write_text(json.dumps(points.seen), encoding="utf-8")
    return 0


class _Points:
    """Counts what the jobs of some kinds send to the database, and kills the process at one of these points."""

    def __init__(self, runtime: Runtime, *, die_at: int) -> None:
        self._runtime = runtime
        self._die_at = die_at
        self.seen = 0
        event.listen(Engine, "before_cursor_execute", self._reached)
        event.listen(Engine, "commit", self._reached)

    def _reached(self, *_: object) -> None:
        job = self._runtime.worker.job
        if job is not None and job.kind in KINDS:
            self.seen += 1
            if self.seen == self._die_at:
                os.kill(os.getpid(), signal.SIGKILL)


def reviewer() -> ScriptedModel:
    """Return a reflector that proposes one of two entries, by the query, and then finishes."""

    def answer(messages: Sequence[Message]) -> str:
        if len(messages) > 2:
            return json.dumps({"thought": "done", "action": {"do": "finish", "values": []}})
        entry, steps = (FACT, [3]) if "sound" in messages[1].content else (PITFALL, [1, 2])
        return json.dumps({"thought": "seen", "action": {"do": "add", "entry": entry, "steps": steps}})

    return ScriptedModel(answer)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
