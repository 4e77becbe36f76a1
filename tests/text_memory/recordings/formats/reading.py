"""Short ways to read recordings."""

from __future__ import annotations

import json
from typing import Any

from nucleate_text_memory import BadLine, Trajectory, read_trajectories


def read(*lines: Any, **options: Any) -> list[Trajectory | BadLine]:
    """Read values as lines."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return list(read_trajectories(texts, **options))


def tasks(*lines: Any, **options: Any) -> list[Trajectory]:
    """Read lines that are all in order."""
    found = read(*lines, **options)
    assert [item for item in found if isinstance(item, BadLine)] == []
    return [item for item in found if isinstance(item, Trajectory)]
