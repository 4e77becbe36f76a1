"""B(p) and R(p) of a plan as one reads them, in plain SQL (Metis Algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate_text_memory import count_groups
from nucleate_tool_library import StatementRunner

_COUNTED = "SELECT task_id, input_key, related FROM recurrence WHERE plan_id = :plan ORDER BY id"
_BACKOFF = "SELECT threshold, attempts FROM recurrence_backoff WHERE plan_id = :plan"


@dataclass(frozen=True, kw_only=True)
class Buffer:
    """B(p) and R(p) of one plan as task ids, oldest first, and how many groups of B(p) make it due."""

    candidates: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    threshold: int = 0
    attempts: int = 0
    groups: int = 0

    @property
    def due(self) -> bool:
        """True when B(p) holds as many groups of inputs as the threshold asks for."""
        return self.groups >= self.threshold


def buffer_of(run: StatementRunner, plan_id: str, *, theta: int, beta: int) -> Buffer:
    """Return B(p), R(p) and the threshold: θ, or after a refusal what it was raised to."""
    rows, backoff = run(_COUNTED, plan=plan_id), run(_BACKOFF, plan=plan_id)
    return Buffer(
        candidates=tuple(row.task_id for row in rows if not row.related),
        related=tuple(row.task_id for row in rows if row.related)[-beta:],
        threshold=backoff[0].threshold if backoff else theta,
        attempts=backoff[0].attempts if backoff else 0,
        groups=count_groups(row.input_key for row in rows if not row.related),
    )
