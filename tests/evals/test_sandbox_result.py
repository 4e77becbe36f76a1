"""The sandbox's evaluation says what it measured, by names that do not change, beside its targets."""

from __future__ import annotations

from pathlib import Path

from evals.sandbox.abuses import ABUSES, Abused
from evals.sandbox.chart import write_chart
from evals.sandbox.measures import SESSION, Measures
from evals.sandbox.result import EXEC, LLM_SANDBOX, MONTY, OURS, RUN, SMOLAGENTS, Result, figures, rows
from evals.sandbox.timing import Timed, Times, in_turns

WARM = {OURS: 2.0, SESSION: 0.5, MONTY: 0.25, RUN: 400.0, EXEC: 50.0, SMOLAGENTS: 60.0, LLM_SANDBOX: 150.0}
COLD = {OURS: 200.0, EXEC: 300.0, SMOLAGENTS: 3000.0, LLM_SANDBOX: 500.0}


def _times(medians: dict[str, float]) -> tuple[Times, ...]:
    return tuple(Times(name=name, milliseconds=(value, value, 2 * value)) for name, value in medians.items())


def _result(*abused: Abused) -> Result:
    measures = Measures(
        cold=_times(COLD),
        warm=_times(WARM),
        at_once_ms={OURS: 4.0},
        at_once_wrong={OURS: 0},
        calls_per_second=300.0,
        container_mb={OURS: 12.0},
    )
    return Result(measures=measures, abused=abused)


def _abused(system: str, *, processes: int = 0, next_call: bool = True) -> Abused:
    return Abused(system=system, abuse="a daemon", seconds=0.1, said="output", processes=processes, next_call=next_call)


def test_the_figures_have_their_fixed_names_and_values() -> None:
    assert figures(_result(_abused(OURS, processes=2), _abused(SMOLAGENTS, processes=9))) == {
        "docker_run_ms": 400.0,
        "docker_exec_ms": 50.0,
        "warm_call_ms": 2.0,
        "session_run_ms": 0.5,
        "monty_call_ms": 0.25,
        "smolagents_call_ms": 60.0,
        "llm_sandbox_call_ms": 150.0,
        "warm_call_p95_ms": 4.0,
        "cold_start_ms": 200.0,
        "ratio_run": 200.0,
        "ratio_exec": 25.0,
        "ratio_smolagents": 30.0,
        "calls_per_second": 300.0,
        "container_mb": 12.0,
        "orphans": 2,
        "escapes": None,
    }


def test_a_target_is_met_on_the_right_side_of_its_bound_alone() -> None:
    missed = [target.name for target in _result(_abused(OURS, next_call=False)).targets if not target.met]
    assert missed == ["warm call against docker exec", "abuses not ended, noticed by the next call"]


def test_every_system_has_a_row_for_each_kind_of_measure() -> None:
    kinds = [(row["kind"], row["system"]) for row in rows(_result(_abused(OURS)))]
    warm, cold = [("warm", name) for name in WARM], [("cold", name) for name in COLD]
    assert kinds == [*warm, *cold, ("at once", OURS), ("memory", OURS), ("abuse", OURS)]


def test_systems_are_called_in_turns() -> None:
    seen: list[str] = []
    systems = [
        Timed(name="fast", call=lambda: seen.append("fast"), each_round=2),
        Timed(name="slow", call=lambda: seen.append("slow")),
    ]
    taken = in_turns(systems, 2)
    assert seen == ["fast", "fast", "slow", "fast", "fast", "slow"]
    assert [(times.name, len(times.milliseconds)) for times in taken] == [("fast", 4), ("slow", 2)]


def test_the_chart_is_a_png(tmp_path: Path) -> None:
    path = tmp_path / "out" / "sandbox.png"
    write_chart(path, _times(WARM), _times(COLD))
    assert path.read_bytes().startswith(b"\x89PNG")


def test_every_abuse_is_a_program_that_compiles() -> None:
    assert [name for name, code in ABUSES.items() if compile(code, name, "exec") is None] == []
