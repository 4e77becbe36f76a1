"""Measure the tool library: closure, search and context as it grows, the cost of serving it, drift.

python -m evals.library [--only PART ...] [--json FILE] [--png FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.library import clients, closure, context, drift, round_trip, search
from evals.library.part import Part
from evals.library.result import publish

PARTS: Mapping[str, Part] = {
    "closure": closure,
    "search": search,
    "context": context,
    "round_trip": round_trip,
    "clients": clients,
    "drift": drift,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a target is missed."""
    chosen = _options(arguments)
    found = {name: PARTS[name].measure(chosen) for name in chosen.only}
    return 0 if publish(found, json_file=chosen.json, png_file=chosen.png) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.library", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures and rows to this file")
    parser.add_argument("--png", type=Path, help="write the chart to this file")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), help="leave out the other parts")
    for part in PARTS.values():
        part.options(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
