"""How much there is in the memory."""

from __future__ import annotations

from nucleate_text_memory.reading.statements import QueryRunner

_RUNS = (
    "SELECT count(*) AS trajectories, coalesce(sum(CASE WHEN success THEN 1 ELSE 0 END), 0) AS solved FROM trajectory"
)
_KINDS = "SELECT kind AS name, count(*) AS entries FROM entry GROUP BY kind ORDER BY kind"
_STATUSES = "SELECT status AS name, count(*) AS entries FROM entry GROUP BY status ORDER BY status"


def counts(run: QueryRunner) -> dict[str, int]:
    """Return how many trajectories there are, how many were solved, and how many entries by kind and by status."""
    (runs,) = run(_RUNS)
    found = {"trajectories": int(runs.trajectories), "solved": int(runs.solved)}
    return found | {row.name: row.entries for statement in (_KINDS, _STATUSES) for row in run(statement)}
