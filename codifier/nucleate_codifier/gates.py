"""The gates of admission, each named once: who judges, within which time, after which others, and what it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Gate(StrEnum):
    """The gates of admission, from cheap to dear; the order here is the order in which they run.

    `codify` stands for the codifier's own refusal, before there is a candidate to judge.
    """

    CODIFY = "codify"
    PARSE = "parse"
    POLICY = "policy"
    CLOSURE = "closure"
    TYPES = "types"
    GENERALITY = "generality"
    SAFETY = "safety"
    COMPILE = "compile"
    TESTS = "tests"
    REPLAY = "replay"


@dataclass(frozen=True, kw_only=True)
class GateRow:
    """One gate: the function that judges as `module:name` in `nucleate_codifier.admission`, which is imported where a
    tool is judged; the seconds that it may take; and the gates that have to pass before it.

    `runs` says that it runs the candidate, in a sandbox. `open` says that a model which wrote the candidate may read
    its findings: they hold nothing of the recordings.
    """

    gate: Gate
    function: str
    seconds: float
    needs: frozenset[Gate] = frozenset({Gate.PARSE})  # what does not parse gives the others nothing to look at
    runs: bool = False
    open: bool = False


# What a static gate refused must not run, even in a sandbox. That a tool is too special is no danger.
_SAFE = frozenset({Gate.PARSE, Gate.POLICY, Gate.CLOSURE, Gate.TYPES, Gate.SAFETY})

# The type checker's first start and the tests' calls are what takes long.
TABLE: tuple[GateRow, ...] = (
    GateRow(gate=Gate.PARSE, function="parse_gate:parse_gate", seconds=10, needs=frozenset(), open=True),
    GateRow(gate=Gate.POLICY, function="policy.policy_gate:policy_gate", seconds=10, open=True),
    GateRow(gate=Gate.CLOSURE, function="closure_gate:closure_gate", seconds=10, open=True),
    GateRow(gate=Gate.TYPES, function="typing.types_gate:typing_gate", seconds=60, open=True),
    GateRow(gate=Gate.GENERALITY, function="generality.generality_gate:generality_gate", seconds=30),
    GateRow(gate=Gate.SAFETY, function="speech.safety_gate:safety_gate", seconds=30, open=True),
    GateRow(gate=Gate.COMPILE, function="compile_gate:compile_gate", seconds=30, needs=_SAFE, runs=True, open=True),
    GateRow(gate=Gate.TESTS, function="tests_gate:tests_gate", seconds=300, needs=_SAFE, runs=True),
    GateRow(gate=Gate.REPLAY, function="replay_gate:replay_gate", seconds=60, needs=_SAFE, runs=True),
)
NEEDS: Mapping[Gate, frozenset[Gate]] = {row.gate: row.needs for row in TABLE}
SECONDS: Mapping[Gate, float] = {row.gate: row.seconds for row in TABLE}
DYNAMIC = frozenset(row.gate for row in TABLE if row.runs)
OPEN = frozenset(row.gate for row in TABLE if row.open)
