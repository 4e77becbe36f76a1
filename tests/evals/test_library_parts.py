"""The parts that measure search, context and serving: what they measure with, and what they say."""

from __future__ import annotations

import argparse

import pytest

from evals.library import search
from evals.library.__main__ import PARTS
from evals.library.desk import Desk, tool
from evals.library.part import Measured
from evals.library.result import report
from evals.library.tools import library, tasks
from nucleate_sandbox import FunctionSpec


def test_a_library_of_any_size_begins_with_the_tools_that_have_tasks() -> None:
    names = [version.name for version in library(1_000)]
    assert (len(names), len(set(names))) == (1_000, 1_000)
    assert {task.tool for task in tasks()} == set(names[: len(tasks())])
    assert len(tasks()) >= 200


def test_no_query_is_a_docstring() -> None:
    docs = {version.signature.doc.rstrip(".").lower() for version in library(1_000)}
    assert not docs & {text.lower() for task in tasks() for text in (task.said, task.sought)}


def test_search_finds_what_agents_look_for_among_its_near_neighbours() -> None:
    found = search.measure(argparse.Namespace(tools=[1_000]))
    assert found.rows[0]["queries"] == 203
    assert float(str(found.figures["search_recall_at_5_1000"])) >= 0.95
    assert [target.met for target in found.targets] == [True]


def test_the_parts_give_their_rows_and_figures_to_one_report() -> None:
    one = Measured(title="one", lines=(), figures={"a": 1}, rows=[{"x": 1}])
    other = Measured(title="other", lines=(), figures={"b": 2})
    made = report({"one": one, "other": other})
    assert (made.name, made.figures, made.rows) == ("library", {"a": 1, "b": 2}, [{"part": "one", "x": 1}])


@pytest.mark.parametrize("name", ["search", "context", "round_trip", "clients"])
def test_every_part_adds_its_options_without_a_clash(name: str) -> None:
    parser = argparse.ArgumentParser()
    for part in PARTS.values():
        part.options(parser)
    assert name in PARTS


def test_the_desk_answers_what_its_tool_asks() -> None:
    assert tool().capabilities == ("desk.price",)
    desk = Desk()
    assert isinstance(desk.functions["desk.price"], FunctionSpec)
    assert desk.fork().call("desk.price", {"item": "pen"}) == 3.0
