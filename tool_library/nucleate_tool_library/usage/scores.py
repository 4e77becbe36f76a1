"""Scores of tools: reliability (MSCE §4), skill score and activation score (Agent Experience OS §10–12)."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from nucleate_tool_library.errors import LibraryError

SKILL_WEIGHTS = {
    "outcome_delta": 0.30,
    "activation_quality": 0.20,
    "process_compliance": 0.15,
    "feedback": 0.10,
    "reuse_rate": 0.10,
    "maintainability": 0.05,
    "cost_penalty": -0.05,
    "safety_risk": -0.05,
}
ACTIVATION_WEIGHTS = {
    "task_type": 0.30,
    "description_sim": 0.25,
    "keyword": 0.15,
    "tool_availability": 0.10,
    "scope": 0.10,
    "historical_success": 0.05,
    "recency": 0.05,
    "negative_trigger": -0.20,
    "safety_risk": -0.20,
}


@dataclass(frozen=True, kw_only=True)
class SkillParts:
    """What a tool's skill score is made of, each in [0, 1]; only `outcome_delta` may be negative, down to -1."""

    outcome_delta: float = 0.0
    activation_quality: float = 0.0
    process_compliance: float = 0.0
    feedback: float = 0.0
    reuse_rate: float = 0.0
    maintainability: float = 0.0
    cost_penalty: float = 0.0
    safety_risk: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ActivationParts:
    """What says that a tool should be chosen for a task, each in [0, 1]."""

    task_type: float = 0.0
    description_sim: float = 0.0
    keyword: float = 0.0
    tool_availability: float = 0.0
    scope: float = 0.0
    historical_success: float = 0.0
    recency: float = 0.0
    negative_trigger: float = 0.0
    safety_risk: float = 0.0


def skill_score(parts: SkillParts) -> float:
    """Return the weighted sum of what a tool is worth, from -0.4 to 0.9."""
    return _weighted(asdict(parts), SKILL_WEIGHTS)


def activation_score(parts: ActivationParts) -> float:
    """Return the weighted sum of what speaks for choosing a tool, from -0.4 to 1."""
    return _weighted(asdict(parts), ACTIVATION_WEIGHTS)


def reliability(passes: int, trials: int) -> float:
    """Return η = (passes + 1)/(trials + 2)."""
    if not 0 <= passes <= trials:
        raise LibraryError(f"{passes!r} passes of {trials!r} trials cannot be; passes are at most the trials")
    return (passes + 1) / (trials + 2)


def _weighted(parts: dict[str, float], weights: dict[str, float]) -> float:
    for name, value in parts.items():
        lowest = -1 if name == "outcome_delta" else 0
        if not lowest <= value <= 1:
            raise LibraryError(f"{name}={value!r} is outside [{lowest}, 1]; give a share")
    return sum(weights[name] * value for name, value in parts.items())
