"""The compact trajectory: s̃_t = (type, name, Trunc(a_t; h), Trunc(o_t; h)) (Metis §3.5)."""

from __future__ import annotations

import json

from nucleate_text_memory import Step, Trajectory

SHOWN = 120
MOST_STEPS = 60


def truncated(text: str, half: int = SHOWN) -> str:
    """Return head_h(x) ‖ "..." ‖ tail_h(x), or the text itself where that is no shorter."""
    return text if len(text) <= 2 * half + 3 else f"{text[:half]}...{text[-half:]}"


def action_of(step: Step) -> str:
    """Return the arguments of a step as JSON."""
    return json.dumps(step.arguments, ensure_ascii=False, sort_keys=True)


def observation_of(step: Step) -> str:
    """Return what a step was answered: its result as JSON, or its error."""
    if step.error is not None:
        return f"error {step.error.kind}: {step.error.message}"
    return json.dumps(step.result, ensure_ascii=False, sort_keys=True)


def line_of(number: int, step: Step, *, half: int = SHOWN) -> str:
    """Return one step: its number from 1, its type and name, and what was asked and answered, truncated."""
    kind = "call" if "." in step.function else "tool"
    said = f"{truncated(action_of(step), half)} -> {truncated(observation_of(step), half)}"
    return f"{number}. {kind} {step.function} {said}"


def compact(trajectory: Trajectory) -> str:
    """Return the steps, one a line; of a long run the first and the last, with what is left out between."""
    lines = [line_of(number, step) for number, step in enumerate(trajectory.steps, start=1)]
    if len(lines) > MOST_STEPS:
        half = MOST_STEPS // 2
        lines[half:-half] = [f"... steps {half + 1} to {len(lines) - half}: show_steps shows them"]
    return "\n".join(lines) or "(no steps)"
