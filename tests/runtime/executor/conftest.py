"""A bench in the embedded sandbox, for runs that need no Docker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nucleate_sandbox import MontySandbox
from tests.runtime.executor.bench import Bench, bench


@pytest.fixture
def desk(tmp_path: Path, monty_sandbox: MontySandbox) -> Iterator[Bench]:
    """Return a bench."""
    with bench(tmp_path, monty_sandbox) as opened:
        yield opened
