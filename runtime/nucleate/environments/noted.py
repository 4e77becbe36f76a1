"""Functions with what earlier calls have shown of them, as one more line of their documentation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from nucleate_sandbox import Effect, FunctionSpec
from nucleate_text_memory.notes import FunctionNotes, note_text

SEEN = "Seen in earlier calls:"


def noted(functions: Mapping[str, FunctionSpec], notes: Mapping[str, FunctionNotes]) -> dict[str, FunctionSpec]:
    """Return the functions, those that something is known of with a line more; what they say themselves stays."""
    return {name: _noted(spec, notes) for name, spec in functions.items()}


def note_of(spec: FunctionSpec, notes: Mapping[str, FunctionNotes]) -> str:
    """Return what is known of one function beside what it says itself; empty where nothing is."""
    described = f"{spec.doc} {json.dumps(spec.parameters, ensure_ascii=False)}"
    shaped = bool(spec.returns.get("properties") or spec.returns.get("items"))
    return note_text(spec.name, notes, described=described, reads=spec.effect is Effect.READ, shaped=shaped)


def _noted(spec: FunctionSpec, notes: Mapping[str, FunctionNotes]) -> FunctionSpec:
    text = note_of(spec, notes)
    return replace(spec, doc=f"{spec.doc}\n{SEEN} {text}.".strip()) if text else spec
