"""The release gate against figures that were worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_tool_library.trials.gate_figures import Figures, figures
from nucleate_tool_library.trials.release_gate import NextStep, ReleaseJudgement, ReleasePolicy, judge
from nucleate_tool_library.trials.spikes import correction_spike, error_spike
from nucleate_tool_library.trials.trials import Baseline, Side, Trial


def side(*, passed: bool = True, milliseconds: float = 100.0, tokens: int = 20, calls: int = 1) -> Side:
    return Side(passed=passed, milliseconds=milliseconds, tokens=tokens, calls=calls)


def trial(case: int, *, before: bool = True, **changes: object) -> Trial:
    paired = Trial(
        version_id="new",
        case=f"case-{case}",
        baseline=Baseline.PREVIOUS,
        candidate=side(),
        reference=side(passed=before),
        activated=True,
        wanted=True,
    )
    return replace(paired, **changes)  # type: ignore[arg-type]


def better(cases: int = 5) -> list[Trial]:
    """Return trials in which the version before fails the first of the cases."""
    return [trial(number, before=number > 0) for number in range(cases)]


def unmet(found: ReleaseJudgement) -> list[str]:
    return [reason.condition for reason in found.reasons]


def test_five_cases_of_which_the_version_before_failed_one_are_enough() -> None:
    found = judge(better())
    assert (found.step, found.reasons) == (NextStep.PROMOTE, ())
    assert found.figures == Figures(
        cases=5,
        pass_rate=1.0,
        baseline_pass_rate=0.8,
        delta=1.0 - 0.8,
        precision=1.0,
        recall=1.0,
        false_triggers=0.0,
        token_overhead=0.0,
        latency_overhead=0.0,
    )
    assert found.text == "5 cases, pass rate 1.00, baseline 0.80"


def test_four_cases_are_not_enough() -> None:
    found = judge(better(4))
    assert (found.step, unmet(found)) == (NextStep.HOLD, ["cases"])


def test_the_same_input_again_is_no_further_case() -> None:
    assert figures([*better(4), *better(4)]).cases == 4


def test_a_case_passes_only_if_it_passed_every_time() -> None:
    again = trial(1, candidate=side(passed=False))
    assert figures([*better(), again]).pass_rate == pytest.approx(4 / 5)


def test_a_version_that_is_only_as_good_stays_on_trial_and_is_given_up_after_sixty_cases() -> None:
    alike = [trial(number) for number in range(60)]
    assert (judge(alike[:59]).step, unmet(judge(alike[:59]))) == (NextStep.HOLD, ["delta"])
    assert judge(alike).step is NextStep.ROLL_BACK


def test_a_delta_of_exactly_the_bound_is_enough() -> None:
    twenty = [trial(number, before=number > 2) for number in range(20)]
    assert judge(twenty).step is NextStep.PROMOTE


def test_one_regression_rolls_back_at_once() -> None:
    worse = trial(0, candidate=side(passed=False), regressed=True, detail="raised KeyError: 'price'")
    found = judge([worse])
    assert (found.step, found.figures.regressions) == (NextStep.ROLL_BACK, 1)


def test_one_safety_failure_rolls_back_at_once() -> None:
    assert judge([*better(), trial(9, safe=False)]).step is NextStep.ROLL_BACK


def test_a_pass_rate_below_four_fifths_rolls_back_once_there_are_enough_cases() -> None:
    failing = [trial(n, before=False, candidate=side(passed=n > 1)) for n in range(5)]
    assert judge(failing[:4]).step is NextStep.HOLD
    found = judge(failing)
    assert (found.step, unmet(found)) == (NextStep.ROLL_BACK, ["pass rate"])


@pytest.mark.parametrize(
    ("changes", "condition", "measured"),
    [
        ({"candidate": side(tokens=27)}, "token overhead", 0.35),
        ({"candidate": side(tokens=28)}, "token overhead", 0.40),
        ({"candidate": side(milliseconds=150)}, "latency overhead", 0.50),
        ({"candidate": side(milliseconds=151)}, "latency overhead", 0.51),
    ],
    ids=["27 tokens for 20", "28 tokens for 20", "150 ms for 100", "151 ms for 100"],
)
def test_overheads_are_shares_of_what_the_baseline_takes(
    changes: dict[str, object], condition: str, measured: float
) -> None:
    found = judge([replace(item, **changes) for item in better()])  # type: ignore[arg-type]
    over = {"token overhead": found.figures.token_overhead, "latency overhead": found.figures.latency_overhead}
    assert over[condition] == pytest.approx(measured)
    assert (condition in unmet(found)) is (measured in (0.40, 0.51))


def test_calls_below_the_floor_count_as_fifty_milliseconds_so_that_noise_is_no_overhead() -> None:
    quick = [replace(item, candidate=side(milliseconds=9), reference=side(milliseconds=3)) for item in better()]
    assert figures(quick).latency_overhead == 0.0


def test_precision_recall_and_false_triggers_are_counted_from_what_was_wanted() -> None:
    wanted = [trial(number) for number in range(17)]
    wrong = [trial(20 + number, wanted=False) for number in range(3)]
    missed = [trial(30 + number, activated=False, candidate=None, reference=None) for number in range(8)]
    left = [trial(40 + number, activated=False, wanted=False, candidate=None, reference=None) for number in range(27)]
    found = figures([*wanted, *wrong, *missed, *left])
    assert (found.precision, found.recall, found.false_triggers) == (17 / 20, 17 / 25, 3 / 30)
    assert [name for name in unmet(judge([*wanted, *wrong, *missed, *left])) if name != "delta"] == [
        "activation recall"
    ]


def test_high_risk_tools_need_fifteen_cases_and_a_named_person() -> None:
    five = judge(better(), high_risk=True)
    assert (five.step, unmet(five)) == (NextStep.HOLD, ["cases", "approval"])
    fifteen = [trial(number, before=number > 3) for number in range(15)]
    assert unmet(judge(fifteen, high_risk=True)) == ["approval"]
    assert unmet(judge(fifteen, high_risk=True, approved_by="  ")) == ["approval"]
    assert judge(fifteen, high_risk=True, approved_by="ada").step is NextStep.PROMOTE
    many = [trial(number, before=number > 10) for number in range(70)]
    assert judge(many, high_risk=True).step is NextStep.HOLD


def test_what_nothing_measured_is_not_met() -> None:
    found = judge([])
    assert found.step is NextStep.HOLD
    assert unmet(found) == [
        "cases",
        "pass rate",
        "delta",
        "activation precision",
        "activation recall",
        "false triggers",
        "token overhead",
        "latency overhead",
    ]
    assert str(found.reasons[1]) == "pass rate not measured (bound 0.8)"


def test_against_plain_steps_the_share_of_calls_saved_is_the_gain() -> None:
    plain = [trial(n, baseline=Baseline.PLAIN, reference=side(calls=3, tokens=60, milliseconds=0.1)) for n in range(5)]
    found = judge(plain)
    assert (found.step, found.figures.delta) == (NextStep.PROMOTE, 1 - 1 / 3)
    assert found.figures.latency_overhead is None
    single = [replace(item, reference=side(calls=1, tokens=20)) for item in plain]
    assert unmet(judge(single)) == ["delta"]


def test_without_pairs_the_calls_of_the_version_before_are_the_control_group() -> None:
    own = [replace(item, baseline=Baseline.NONE, reference=None) for item in better()]
    control = [
        Trial(version_id="new", case=f"control-{n}", reference=side(passed=n > 0, milliseconds=200)) for n in range(4)
    ]
    found = figures([*own, *control])
    assert (found.cases, found.pass_rate, found.baseline_pass_rate, found.delta) == (5, 1.0, 0.75, 0.25)
    assert found.latency_overhead == -0.5


def test_a_stricter_policy_is_a_value() -> None:
    assert judge(better(), policy=ReleasePolicy(min_cases=6)).step is NextStep.HOLD


@pytest.mark.parametrize(
    ("passed", "before", "suspicious"),
    [
        ("++++++++++", None, False),
        ("+++++++---", None, False),
        ("+++++-----", None, True),
        ("--", None, False),
        ("---", None, True),
        ("+++++-----", 0.3, False),
        ("-----+++++++++", None, False),
    ],
)
def test_errors_are_a_spike_where_half_of_the_latest_calls_fail_and_far_fewer_did_before(
    passed: str, before: float | None, suspicious: bool
) -> None:
    found = error_spike([one == "+" for one in passed], before=before)
    assert (found is not None) is suspicious


def test_a_spike_says_its_figures() -> None:
    assert error_spike([True] * 5 + [False] * 5, before=0.1) == (
        "a spike of errors: 5 of the last 10 calls failed, 10% did before"
    )
    assert correction_spike(3, 20) == "a spike of corrections: 3 in 20 calls"
    assert correction_spike(3, 21) is correction_spike(2, 2) is None
