"""See the sandbox last: ten thousand calls, an owner killed in the middle of twenty, an engine stopped under load.

    python -m evals.sandbox.endurance [--calls N] [--json FILE] [--png FILE] [--only calls|kill|engine]

The engine that is stopped is one of the evaluation's own (it needs root and `dockerd`); the shared one is left alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.report import Report, print_table, write_json
from evals.sandbox.curve import Sample, long_run, write_curve
from evals.sandbox.killing import Killed, kill_owner
from evals.sandbox.outage import Outage, stop_engine
from nucleate_sandbox import JsonObject
from nucleate_sandbox.docker import build_image

PARTS = ("calls", "kill", "engine")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts; the exit code is 1 where something was lost, left behind or wrong."""
    options = _options(arguments)
    wanted = (options.only,) if options.only else PARTS
    figures: JsonObject = {}
    good = True
    if "calls" in wanted:
        build_image()
        samples = long_run(options.calls)
        good &= _show_calls(samples, figures)
        if options.png:
            write_curve(options.png, samples)
    if "kill" in wanted:
        build_image()
        good &= _show_killed(kill_owner(), figures)
    if "engine" in wanted:
        good &= _show_outage(stop_engine(), figures)
    if options.json:
        write_json(Report(name="sandbox_endurance", figures=figures), options.json)
    return 0 if good else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.sandbox.endurance", description=__doc__.partition("\n")[0] if __doc__ else None
    )
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--png", type=Path, help="write the curve to this file")
    parser.add_argument("--only", choices=PARTS, help="run this part alone")
    return parser.parse_args(arguments)


def _show_calls(samples: Sequence[Sample], figures: JsonObject) -> bool:
    # The first tenth warms caches and pools up; growth is told from there.
    start, end = samples[len(samples) // 10], samples[-1]
    figures |= {
        "calls": end.calls,
        "wrong": end.wrong,
        "host_growth_kb": end.host_kb - start.host_kb,
        "descriptors_growth": end.descriptors - start.descriptors,
        "containers_max_mb": max(sample.containers_mb for sample in samples),
        "containers_end_mb": end.containers_mb,
    }
    print_table(
        "Calls in a row",
        [
            ("calls, wrong answers", f"{end.calls}, {end.wrong}"),
            ("memory of the host process, after a tenth and at the end, KB", f"{start.host_kb}, {end.host_kb}"),
            ("open descriptors, after a tenth and at the end", f"{start.descriptors}, {end.descriptors}"),
            ("memory of all containers, after a tenth and at the end, MB",
             f"{start.containers_mb:.1f}, {end.containers_mb:.1f}"),
        ],
    )  # fmt: skip
    return end.wrong == 0 and end.descriptors <= start.descriptors


def _show_killed(killed: Killed, figures: JsonObject) -> bool:
    figures |= {
        "killed_under_way": killed.under_way,
        "killed_containers": killed.containers,
        "killed_seconds_until_none": killed.seconds,
        "killed_left_after_restart": killed.left,
    }
    print_table(
        "kill -9 of the owner",
        [
            ("calls under way, containers", f"{killed.under_way}, {killed.containers}"),
            ("seconds until no container of it was left", f"{killed.seconds:.2f}"),
            ("containers of it left after a restart", killed.left),
        ],
    )
    return killed.left == 0 and killed.under_way > 0


def _show_outage(outage: Outage, figures: JsonObject) -> bool:
    figures |= {
        "outage_right_before": outage.before,
        "outage_errors": outage.errors,
        "outage_right_after": outage.after,
        "outage_wrong": outage.wrong,
        "outage_seconds_until_right": outage.seconds,
    }
    print_table(
        "The engine stopped and started under load",
        [
            ("right answers before, after", f"{outage.before}, {outage.after}"),
            ("calls that ended as an outage", outage.errors),
            ("wrong answers", outage.wrong),
            ("seconds from the engine's return to the next right answer", f"{outage.seconds:.2f}"),
            ("one of the outages", outage.message),
        ],
    )
    return outage.wrong == 0 and outage.errors > 0 and outage.after > 0


if __name__ == "__main__":
    sys.exit(main())
