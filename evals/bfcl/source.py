"""Brings the benchmark: the pinned package from the package registry, its tasks, and its API classes by path."""

from __future__ import annotations

import importlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from uv import find_uv_bin

PINNED = "bfcl-eval==2026.3.23 --hash=sha256:3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
FOLDER = "bfcl-eval-2026.3.23"
TASKS = "BFCL_v4_multi_turn_base.json"
STREAM = 120
SOURCES = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"


class Unreachable(Exception):
    """The package registry did not give the benchmark. The message names the next step."""


@dataclass(frozen=True, kw_only=True)
class Api:
    """One stateful API class of the benchmark: our namespace for it, and the files that hold it and its functions."""

    namespace: str
    class_name: str
    module: str
    document: str


APIS = (
    Api(
        namespace="files", class_name="GorillaFileSystem", module="gorilla_file_system", document="gorilla_file_system"
    ),
    Api(namespace="math", class_name="MathAPI", module="math_api", document="math_api"),
    Api(namespace="messages", class_name="MessageAPI", module="message_api", document="message_api"),
    Api(namespace="posts", class_name="TwitterAPI", module="posting_api", document="posting_api"),
    Api(namespace="tickets", class_name="TicketAPI", module="ticket_api", document="ticket_api"),
    Api(namespace="trading", class_name="TradingBot", module="trading_bot", document="trading_bot"),
    Api(namespace="travel", class_name="TravelAPI", module="travel_booking", document="travel_booking"),
    Api(namespace="vehicle", class_name="VehicleControlAPI", module="vehicle_control", document="vehicle_control"),
)


@dataclass(frozen=True, kw_only=True)
class Task:
    """One multi-turn task: what the user says over all turns, where the APIs start, and the ground-truth calls."""

    id: str
    query: str
    configuration: dict[str, dict[str, Any]]
    ground_truth: tuple[str, ...]


def cache_folder() -> Path:
    """Return the user's cache folder for evaluations."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nucleate" / "evals"


def fetch(cache: Path) -> Path:
    """Return the unpacked package, installed without its dependencies into a folder of its own if it is not there."""
    target = cache / FOLDER
    if not (target / "bfcl_eval").is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            _install(Path(scratch))
            shutil.rmtree(target, ignore_errors=True)
            (Path(scratch) / "package").rename(target)
    return target / "bfcl_eval"


def _install(scratch: Path) -> None:
    requirements = scratch / "requirements.txt"
    requirements.write_text(f"{PINNED}\n", encoding="utf-8")
    command = [find_uv_bin(), "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--python", sys.executable]
    options = ["--target", str(scratch / "package"), "--requirements", str(requirements)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:300]
        raise Unreachable(f"{FOLDER} could not be installed; check the network or UV_DEFAULT_INDEX ({reason})")


def load_tasks(package: Path) -> tuple[Task, ...]:
    """Return the 200 base tasks in the benchmark's order."""
    answers = {row["id"]: row["ground_truth"] for row in read_lines(package / "data" / "possible_answer" / TASKS)}
    return tuple(_task(row, answers[row["id"]]) for row in read_lines(package / "data" / TASKS))


def _task(row: dict[str, Any], answer: list[list[str]]) -> Task:
    return Task(
        id=row["id"],
        query="\n".join(message["content"] for turn in row["question"] for message in turn),
        configuration=row["initial_config"],
        ground_truth=tuple(call for turn in answer for call in turn),
    )


def split(tasks: Sequence[Task], *, seed: int, size: int = STREAM) -> tuple[list[Task], list[Task]]:
    """Return the tasks to learn from and the held-out ones, chosen by id, both in the benchmark's order."""
    ids = sorted(task.id for task in tasks)
    chosen = set(random.Random(seed).sample(ids, size))
    return [task for task in tasks if task.id in chosen], [task for task in tasks if task.id not in chosen]


def load_classes(package: Path) -> dict[str, type]:
    """Return namespace → API class. Only these modules are executed: their packages' own code is left out."""
    _stand_in_packages(package)
    return {api.namespace: getattr(importlib.import_module(f"{SOURCES}.{api.module}"), api.class_name) for api in APIS}


def _stand_in_packages(package: Path) -> None:
    """Register empty packages that only know their folder: the real ones import what is not installed."""
    name, folder = "", package.parent
    for part in SOURCES.split("."):
        name, folder = f"{name}.{part}".lstrip("."), folder / part
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules.setdefault(name, module)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Return the objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
