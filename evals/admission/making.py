"""Makes the mechanical half of the wrong tools.

python -m evals.admission.making [--half elsewhere]

A variant counts as wrong where it does something else than the reference on the task's arguments or on its `further`
ones: another result, another error, another state afterwards. What behaves alike on all of them is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from evals.admission.corpus_files import CORPUS, CorpusTask, read_corpus
from evals.admission.desks import Desks
from evals.admission.judging import Hall, module_of
from evals.admission.operators import variants
from nucleate_codifier.admission.running.grounds import state_of
from nucleate_sandbox import DockerSandbox, Functions, Json, Limits, Module, canonical

TASK_SHARE = 3  # variants of one task
LIMITS = Limits(wall_seconds=3.0, cpu_seconds=3.0)
HEAD = "# Made by python -m evals.admission.making: operators and their sources are named in operators.py.\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `made.toml` of a half."""
    parser = argparse.ArgumentParser(prog="python -m evals.admission.making")
    parser.add_argument("--half", default="elsewhere")
    half = parser.parse_args(arguments).half
    tasks = read_corpus(half)
    used: Counter[str] = Counter()
    with Desks() as desks, DockerSandbox() as sandbox:
        hall = Hall(tasks={task.name: task for task in tasks}, desks=desks, sandbox=sandbox)
        entries = [text for task in tasks if task.counted and task.further for text in _entries(task, hall, used)]
    (CORPUS / half / "made.toml").write_text(HEAD + "".join(entries), "utf-8")
    print(dict(used))
    return 0


def _entries(task: CorpusTask, hall: Hall, used: Counter[str]) -> Iterator[str]:
    original = module_of(task, hall.tasks)
    right = _behaviour(original, task, hall)
    chosen = 0
    yield f'\n[[made]]\ntask = "{task.name}"\nbad = [\n'
    found = sorted(variants(task.source), key=lambda item: hashlib.sha256(repr(item).encode()).hexdigest())
    while found and chosen < TASK_SHARE:
        found.sort(key=lambda item: used[item[0]])
        name, line, source = found.pop(0)
        if _behaviour(Module(name=task.name, source=source, dependencies=original.dependencies), task, hall) == right:
            continue
        used[name] += 1
        chosen += 1
        defect = f"{name} in line {line}"
        yield f"  {{ kind = 'made', operator = '{name}', defect = '{defect}', source = '''\n{source}''' }},\n"
        found = [item for item in found if item[0] != name]
    yield "]\n"


def _behaviour(module: Module, task: CorpusTask, hall: Hall) -> list[Json]:
    """Return what a tool does on all arguments, each in a world of its own."""
    return [_done(module, task, arguments, hall) for arguments in (*task.arguments, *task.further)]


def _done(module: Module, task: CorpusTask, arguments: dict[str, Json], hall: Hall) -> Json:
    world = hall.desks.open(task.world)
    with hall.sandbox.open(functions=Functions.only(world, world.functions), limits=LIMITS) as session:
        outcome = session.call(module, task.name, arguments)
    failed = outcome.failure.kind if outcome.failure is not None else str(outcome.limit or "")
    return canonical([outcome.value, failed, state_of(world)])


if __name__ == "__main__":
    sys.exit(main())
