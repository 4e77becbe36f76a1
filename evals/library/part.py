"""A part of this evaluation: a module that answers one question with figures, rows and targets."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from evals.sandbox.result import Target
from nucleate_sandbox import Json, JsonObject


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What one part found: a table of (label, value), figures by their lasting names, rows, targets, bars in ms."""

    title: str
    lines: Sequence[tuple[str, object]]
    figures: Mapping[str, Json] = field(default_factory=dict)
    rows: Sequence[JsonObject] = ()
    targets: Sequence[Target] = ()
    bars: Mapping[str, float] = field(default_factory=dict)


class Part(Protocol):
    """Any module with these two functions."""

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options that the part understands."""
        ...

    def measure(self, chosen: argparse.Namespace) -> Measured:
        """Measure, and return what was found."""
        ...
