"""CPU seconds and megabytes of commands that only look: `python -m evals.start [--before CHECKOUT]`.

Each command runs as a process of its own, with byte code cached, in a folder with a small library that was learned
there. The figures are the least of several runs, user and system time together, since whatever else the machine does
only adds. With another checkout, which has a `.venv`, both take turns on libraries of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from evals.report import ROOT

COMMANDS = (
    "tools list",
    "tools search ticket",
    "tools show NAME",
    "tools history NAME",
    "tools refused",
    "memory list",
    "memory search ticket --scope desk",
    "memory stats",
    "jobs list",
    "stats",
    "--help",
    "tools --help",
    "memory --help",
)
IMPORTS = "import: from nucleate import Runtime"
LEARN = """
from nucleate import Runtime, Settings
class Desk:
    def find_customer(self, email: str) -> dict[str, str]:
        "Find a customer by e-mail address."
        return {"customer_id": f"c-{email.split('@')[0]}"}
    def open_ticket(self, customer_id: str, text: str) -> dict[str, str]:
        "Open a ticket for a customer."
        return {"ticket_id": f"t-{customer_id}-{len(text)}"}
texts = ("it hums", "no sound", "black screen", "flat battery", "stuck keys")
settings = Settings(sandbox="monty", allow_provisional=True, worker="inline")
with Runtime(Desk(), settings=settings) as runtime:
    for name, text in zip(("ada", "bo", "cy", "di", "ed"), texts):
        with runtime.record(f"{name}@desk.test says: {text}. Open a ticket.") as run:
            customer = run.env.desk.find_customer(email=f"{name}@desk.test")
            run.env.desk.open_ticket(customer_id=customer["customer_id"], text=text)
    runtime.wait()
    print(runtime.library.listing()[0].name)
"""


@dataclass(frozen=True, kw_only=True)
class Start:
    """What one command took at least: CPU seconds of user and system together, and megabytes resident."""

    command: str
    seconds: float
    megabytes: float


def main() -> None:
    """Print the figures of this checkout, beside those of another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="another checkout, which has a .venv")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    given = parser.parse_args()
    trees = [("now", ROOT), *([("before", given.before.resolve())] if given.before else [])]
    with tempfile.TemporaryDirectory() as place:
        found = measured([(name, tree, Path(place) / name) for name, tree in trees], times=given.times)
    for at, start in enumerate(found["now"]):
        print("  ".join([f"{start.command:<40}", *(_figures(found[name][at]) for name, _tree in trees)]))
    if given.json:
        told = {name: [asdict(start) for start in starts] for name, starts in found.items()}
        given.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def measured(trees: Sequence[tuple[str, Path, Path]], *, times: int) -> dict[str, list[Start]]:
    """Return the figures of each checkout, given with its name and the folder in which its library is made."""
    tools = {name: _learned(tree, folder) for name, tree, folder in trees}
    found: dict[str, list[Start]] = {name: [] for name, _tree, _folder in trees}
    for words in (*COMMANDS, IMPORTS):
        for name, tree, folder in trees:
            command = _command(tree, words.replace("NAME", tools[name]))
            runs = [_run(command, folder) for _ in range(times + 1)][1:]  # the first caches what it compiles
            seconds, megabytes = (min(values) for values in zip(*runs, strict=True))
            found[name].append(Start(command=words, seconds=round(seconds, 3), megabytes=round(megabytes, 1)))
    return found


def _command(tree: Path, words: str) -> list[str]:
    if words == IMPORTS:
        return [str(tree / ".venv/bin/python"), "-c", words.partition(": ")[2]]
    return [str(tree / ".venv/bin/nucleate"), *words.split()]


def _learned(tree: Path, folder: Path) -> str:
    folder.mkdir(parents=True)
    ran = subprocess.run([str(tree / ".venv/bin/python"), "-c", LEARN], cwd=folder, capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(ran.stderr)
    return ran.stdout.strip()


def _run(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Return the CPU seconds and the megabytes of one process, which has to end well."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _figures(start: Start) -> str:
    return f"{start.seconds:>7.3f} s {start.megabytes:>6.1f} MB"


if __name__ == "__main__":
    main()
