"""Find the evidence of LoCoMo's questions, and time searches among a million entries.

python -m evals.retrieval --data FOLDER [--json FILE] [--png FILE] [--sizes N ...] [--fit]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from evals.retrieval import locomo, speed
from evals.retrieval.fitting import fit
from evals.retrieval.measures import run
from evals.retrieval.result import Result, publish
from evals.retrieval.systems import DEFAULT, systems
from nucleate_text_memory import LocalEmbedder
from nucleate_text_memory.retrieval import program, seed

WEIGHTS = Path(program.__file__).parent / "data" / f"weights_{DEFAULT}.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a target is missed."""
    options = _options(arguments)
    conversations = locomo.conversations(locomo.data_folder(options.data), embedder=LocalEmbedder())
    if options.fit:
        return _fit([each for each in conversations if each.tuned])
    measured = [speed.measure(size) for size in track(options.sizes, description="speed")]
    found = {name: run(each, conversations) for name, each in track(systems().items(), description="evidence")}
    result = Result(found=found, speed=measured)
    publish(result, json_file=options.json, png_file=options.png)
    return 0 if result.met else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.retrieval", description="Recall and speed of retrieval")
    parser.add_argument("--data", type=Path, help=f"folder of conversations (default: ${locomo.VARIABLE})")
    parser.add_argument("--json", type=Path, help="write the figures and rows to this file")
    parser.add_argument("--png", type=Path, help="write the chart to this file")
    parser.add_argument("--sizes", type=int, nargs="*", default=speed.SIZES, help="how many entries to time among")
    parser.add_argument("--fit", action="store_true", help="fit the default weights anew on the tuned conversations")
    return parser.parse_args(arguments)


def _fit(conversations: Sequence[locomo.Conversation]) -> int:
    fitted = fit(conversations, seed(DEFAULT), name=DEFAULT)
    WEIGHTS.write_text(fitted.model_dump_json(indent=2) + "\n", encoding="utf-8")
    print(f"fitted on {fitted.fitted_on}; wrote {WEIGHTS.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
