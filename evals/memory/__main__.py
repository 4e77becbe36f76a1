"""Keep the truth, refuse poison, warn of mistakes, lose nothing.

python -m evals.memory [--json FILE] [--png FILE] [--statements N] [--each N] [--runs FILE] [--uv PATH] [--cache FOLDER]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.memory import dojo, maintenance, poisoning, result, warned, writers


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a target is missed."""
    options = _options(arguments)
    attacked = poisoning.own_cases()
    if options.uv:
        attacked += poisoning.agentdojo(dojo.recorded(options.cache, options.uv))
    found = result.Result(
        maintenance=maintenance.measure(options.statements),
        attacked=tuple(attacked),
        warned=warned.measure(options.runs) if options.runs else None,
        writers=writers.measure(options.each),
    )
    result.publish(found, json_file=options.json, png_file=options.png)
    return 0 if all(target.met for target in found.targets) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.memory", description="Maintenance and governance of memory")
    parser.add_argument("--json", type=Path, help="write the figures and rows to this file")
    parser.add_argument("--png", type=Path, help="write the chart to this file")
    parser.add_argument("--statements", type=int, default=5000, help="how long the generated stream is")
    parser.add_argument("--each", type=int, default=10_000, help="how many entries each of two processes writes")
    runs = os.environ.get("NUCLEATE_AIRLINE_RUNS")
    parser.add_argument("--runs", type=Path, default=Path(runs) if runs else None,
                        help="real runs as message lists (NUCLEATE_AIRLINE_RUNS)")  # fmt: skip
    parser.add_argument("--uv", default=shutil.which("uv"), help="the uv that installs AgentDojo; '' leaves it out")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "nucleate" / "evals",
                        help="where AgentDojo's environment and runs are kept")  # fmt: skip
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
