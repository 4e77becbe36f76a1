"""The functions of the gates, from cheap to dear: importing this imports all that they stand on."""

from __future__ import annotations

from importlib import import_module

from nucleate_codifier.admission.subject import GateFunction
from nucleate_codifier.gates import TABLE, Gate


def _function(place: str) -> GateFunction:
    module, _, name = place.partition(":")
    found: GateFunction = getattr(import_module(f"nucleate_codifier.admission.{module}"), name)
    return found


GATES: tuple[tuple[Gate, GateFunction], ...] = tuple((row.gate, _function(row.function)) for row in TABLE)
