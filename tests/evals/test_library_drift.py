"""The evaluation of drift on a small library: what it counts as hit is worked out apart from what it measures."""

from __future__ import annotations

import argparse

from evals.library.drift import CHANGES, chains, measure, reaching
from evals.library.tools import SCOPE, library


def test_a_chain_reaches_what_its_first_tool_calls() -> None:
    tools = chains(library(8))
    names = [tool.name for tool in tools]
    assert reaching(tools, f"{SCOPE}.f0") == set(names[:6])
    assert reaching(tools, f"{SCOPE}.f3") == set(names[3:6])
    assert reaching(tools, f"{SCOPE}.f6") == set(names[6:])
    assert reaching(tools, f"{SCOPE}.f1") == set()


def test_every_tool_hit_is_marked_before_its_next_call_and_no_other() -> None:
    found = measure(argparse.Namespace(drift_tools=8, drift_functions=1))
    assert [(row["change"], row["hit"], row["marked"], row["wrongly_marked"]) for row in found.rows] == [
        (kind, 6, 6, 0) for kind in CHANGES
    ]
    assert found.figures["drift_marked_share"] == 1.0
    assert all(target.met for target in found.targets)
