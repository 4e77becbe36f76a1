"""Time to verdict for one candidate, cold and warm, beside the naive way: mypy, then pytest in `docker run`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.report import ROOT
from evals.sandbox.systems import hardening, seccomp
from evals.sandbox.timing import Timed, Times, in_turns
from nucleate_codifier import AdmissionPolicy, Candidate, EnvironmentView, Evidence, Example, LibraryView, Subject
from nucleate_codifier.admission.admit import judge
from nucleate_codifier.admission.gate_functions import GATES
from nucleate_codifier.values import Gate, Status
from nucleate_sandbox import DockerSandbox, Sandbox
from nucleate_sandbox.docker.images.rootfs import PACKAGES
from nucleate_sandbox.docker.images.tags import image_tag

TIMED = (Gate.PARSE, Gate.POLICY, Gate.CLOSURE, Gate.TYPES, Gate.TESTS)
PATHS = f"--env=PYTHONPATH=/{PACKAGES}:/src"
POLICY = AdmissionPolicy(property_examples=100, max_mutants=0)

# Each verdict is about a text of its own: {step} makes a candidate that no cache has seen.
TOOL = '''
def slots(minutes: int, step: int = {step}) -> list[int]:
    """Return the starts of all whole slots of `step` minutes within `minutes`, in minutes from the start."""
    if step <= 0 or minutes <= 0:
        return []
    return list(range(0, min(minutes, 10_000) - step + 1, step))
'''
OWN_TESTS = """
def test_an_hour_has_whole_slots() -> None:
    assert tool(minutes=60, step=20) == [0, 20, 40]


def test_a_rest_is_no_slot() -> None:
    assert tool(minutes=50, step=20) == [0, 20]


def test_nothing_fits_into_nothing() -> None:
    assert tool(minutes=0, step=20) == []
"""
NAIVE_TESTS = f"""
from hypothesis import given, settings, strategies as st
from slots import slots as tool

{OWN_TESTS}

@settings(max_examples=100, deadline=None, database=None)
@given(minutes=st.integers(-10, 10_000), step=st.integers(-10, 500))
def test_each_slot_fits(minutes: int, step: int) -> None:
    assert all(0 <= start <= minutes - step for start in tool(minutes=minutes, step=step))
"""


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Milliseconds: verdicts in new processes (cold), in a warm one, and the naive way with a warm mypy cache."""

    cold: Times
    warm: Times
    naive: Times

    @property
    def ratio(self) -> float:
        """Return how many times longer the naive way takes than a warm verdict."""
        return self.naive.median / self.warm.median


def measure(rounds: int) -> Speed:
    """Time the three ways in turns."""
    with DockerSandbox() as sandbox, _naive() as naive:
        verdict(sandbox, 7)
        naive()
        numbers = iter(range(8, 100_000))
        warm, slow = in_turns(
            [
                Timed(name="warm verdict", call=lambda: verdict(sandbox, next(numbers)), each_round=3),
                Timed(name="mypy, then pytest in docker run", call=naive),
            ],
            rounds,
        )
    cold = Times(name="cold verdict", milliseconds=tuple(_cold() for _ in range(max(1, rounds // 2))))
    return Speed(cold=cold, warm=warm, naive=slow)


def verdict(sandbox: Sandbox, step: int) -> None:
    """Judge one candidate by the gates that the naive way stands for; a verdict that is not a pass is a fault."""
    reports = judge(_subject(sandbox, step), [(gate, run) for gate, run in GATES if gate in TIMED]).gates
    failed = [report for report in reports if report.status is not Status.PASSED]
    if failed:
        raise RuntimeError(f"the timed candidate was not passed: {failed[0]!r}"[:600])


def _subject(sandbox: Sandbox, step: int) -> Subject:
    return Subject(
        candidate=Candidate(
            name="slots", scope="eval", source=TOOL.format(step=step), tests={"test_slots.py": OWN_TESTS}
        ),
        library=LibraryView(),
        environment=EnvironmentView(name="none", functions={}),
        sandbox=sandbox,
        evidence=Evidence(seen=(_example(60, 20), _example(50, 20))),
        policy=POLICY,
    )


def _example(minutes: int, step: int) -> Example:
    return Example(
        task_id=f"{minutes}/{step}",
        query=f"Which slots of {step} minutes are there in {minutes} minutes?",
        arguments={"minutes": minutes, "step": step},
        result=list(range(0, minutes - step + 1, step)),
        calls=(),
    )


def _cold() -> float:
    """Return the milliseconds that a new process takes from its start to the verdict."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "evals.admission.speed"], cwd=ROOT, check=True)
    return (time.perf_counter() - began) * 1000


class _Naive:
    """What a script would do: type-check the module, then run its tests in a container."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._profile = folder / "seccomp.json"
        self._profile.write_text(json.dumps(seccomp()), encoding="utf-8")
        (folder / "src").mkdir(mode=0o755)
        (folder / "src" / "test_slots.py").write_text(NAIVE_TESTS, encoding="utf-8")
        self._numbers = iter(range(7, 100_000))
        folder.chmod(0o755)

    def __call__(self) -> None:
        source = TOOL.format(step=next(self._numbers))
        (self._folder / "src" / "slots.py").write_text(source, encoding="utf-8")
        cache = f"--cache-dir={self._folder / 'cache'}"
        self._run([sys.executable, "-m", "mypy", "--strict", cache, str(self._folder / "src" / "slots.py")])
        run = ["-X", "utf8", "-m", "pytest", "-q", "-p", "no:cacheprovider", "/src"]
        mount = f"--volume={self._folder / 'src'}:/src:ro"
        self._run(["docker", "run", "--rm", mount, *hardening(str(self._profile)), PATHS, image_tag(), *run])

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise RuntimeError(f"{command[:3]!r}: {done.stdout[-400:]} {done.stderr[-400:]}")


@contextmanager
def _naive() -> Iterator[_Naive]:
    with tempfile.TemporaryDirectory(prefix="nucleate-eval-") as name:
        yield _Naive(Path(name))


if __name__ == "__main__":
    with DockerSandbox() as own:
        verdict(own, 7)
