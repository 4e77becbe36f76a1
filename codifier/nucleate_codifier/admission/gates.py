"""The gates of admission, from cheap to dear."""

from __future__ import annotations

from nucleate_codifier.admission.closure_gate import closure_gate
from nucleate_codifier.admission.compile_gate import compile_gate
from nucleate_codifier.admission.generality.generality_gate import generality_gate
from nucleate_codifier.admission.parse_gate import parse_gate
from nucleate_codifier.admission.policy.policy_gate import policy_gate
from nucleate_codifier.admission.replay_gate import replay_gate
from nucleate_codifier.admission.speech.safety_gate import safety_gate
from nucleate_codifier.admission.subject import GateFunction
from nucleate_codifier.admission.tests_gate import tests_gate
from nucleate_codifier.admission.typing.types_gate import typing_gate
from nucleate_codifier.values import Gate

GATES: tuple[tuple[Gate, GateFunction], ...] = (
    (Gate.PARSE, parse_gate),
    (Gate.POLICY, policy_gate),
    (Gate.CLOSURE, closure_gate),
    (Gate.TYPES, typing_gate),
    (Gate.GENERALITY, generality_gate),
    (Gate.SAFETY, safety_gate),
    (Gate.COMPILE, compile_gate),
    (Gate.TESTS, tests_gate),
    (Gate.REPLAY, replay_gate),
)
