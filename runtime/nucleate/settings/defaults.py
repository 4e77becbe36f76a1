"""What counts where nothing is configured, for whoever needs no more than that."""

from __future__ import annotations

from pathlib import Path

PREFIX = "NUCLEATE_"
DEFAULT_DATABASE = Path(".nucleate") / "nucleate.db"
THETA = 3  # distinct inputs before a plan is codified
BETA = 12  # the size of a plan's related history
