"""Twins in a repository: the second of two tools that do the same is added, and what changed is judged.

Without a live environment, as in CI: the one that was there before rests, and is known by its source alone.
"""

from __future__ import annotations

import ast
import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evals.admission.corpus_files import Labelled
from evals.admission.judging import Hall, Judged
from nucleate.repositories import admit_repository
from nucleate_codifier import Example, Verdict
from nucleate_codifier.repository import JudgingSetup, NoVerdicts
from nucleate_sandbox import FunctionSpec, Json
from nucleate_tool_library import read_signature

CONFIG = '[tool.nucleate]\nenvironment = "functions.json"\ntools = ["tools"]\n'


def judge_twin(item: Labelled, examples: Sequence[Example], held_out: int, hall: Hall) -> Judged:
    """Commit the task's reference, add its twin, and return the verdict on what changed."""
    name = _public(item.source)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="nucleate-twins-") as folder:
        root = Path(folder)
        functions = hall.desks.open(item.task.world).functions
        _write(
            root / "functions.json",
            {"environment": item.task.world, "functions": [*map(_described, functions.values())]},
        )
        (root / "pyproject.toml").write_text(CONFIG, "utf-8")
        _add(root / "tools", item.task.name, item.task.source, examples, held_out)
        _git(root, "init", "-q")
        _git(root, "add", "-A")
        _git(root, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "-m", "first")
        _add(root / "tools", name, item.source, _renamed(item, name, examples), held_out)
        setup = JudgingSetup(sandbox=hall.sandbox, memory=NoVerdicts())
        report = admit_repository([root / "tools"], setup, changed_since="HEAD")
    verdict = next(judged.verdict for judged in report.judged if judged.tool.name == name)
    return Judged(
        labelled=item, verdict=_alone(verdict, report.judged), milliseconds=(time.perf_counter() - began) * 1000
    )


def _alone(verdict: Verdict, judged: Sequence[object]) -> Verdict:
    """A run that also judged the tool at rest is not what was asked for."""
    return verdict if len(judged) == 1 else replace(verdict, gates=())


def _public(source: str) -> str:
    functions = (node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    return next(name for name in functions if not name.startswith("_"))


def _renamed(item: Labelled, name: str, examples: Sequence[Example]) -> list[Example]:
    """Return the runs with the twin's own parameters, which stand in the same order."""
    mine, theirs = (
        _parameters(source, called) for source, called in ((item.task.source, item.task.name), (item.source, name))
    )
    names = dict(zip(mine, theirs, strict=True))
    return [replace(one, arguments={names[key]: value for key, value in one.arguments.items()}) for one in examples]


def _parameters(source: str, name: str) -> list[str]:
    properties = read_signature(source, name).parameters["properties"]
    return [*properties] if isinstance(properties, dict) else []


def _add(folder: Path, name: str, source: str, examples: Sequence[Example], held_out: int) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(source.lstrip(), "utf-8")
    first = len(examples) - held_out
    lines = [json.dumps({**_run(one), "held_out": number >= first}) for number, one in enumerate(examples)]
    (folder / f"{name}.examples.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def _run(example: Example) -> dict[str, Json]:
    calls: list[Json] = [
        {"function": call.function, "arguments": call.arguments, "result": call.result} for call in example.calls
    ]
    return {"query": example.query, "arguments": example.arguments, "result": example.result, "calls": calls}


def _described(spec: FunctionSpec) -> dict[str, Json]:
    return {"name": spec.name, "doc": spec.doc, "effect": spec.effect.value,
            "parameters": spec.parameters, "returns": spec.returns}  # fmt: skip


def _write(path: Path, value: Json) -> None:
    path.write_text(json.dumps(value), "utf-8")


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
