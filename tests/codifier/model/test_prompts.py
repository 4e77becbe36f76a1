"""Prompts: rendered whole or not at all, known by a hash, and without a word of what was recorded."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from nucleate_codifier.chat import Message, Role
from nucleate_codifier.model import Brief, NumberedQuery, PromptError, prompts_hash, render
from nucleate_sandbox import MontySandbox
from tests.codifier.model.desk import attempt, writing
from tests.mailroom import ALWAYS_TWO, GOOD, MARK, STREETS


def test_a_missing_value_is_an_error_that_names_it() -> None:
    with pytest.raises(PromptError, match=r"prompt 'found': missing values \['lines'\], unknown values \['line'\]"):
        render("found", line="x")


def test_an_unknown_prompt_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(PromptError, match="no prompt is named 'hello'; there are bind, described, first_only, found"):
        render("hello")


def test_values_are_put_in_as_they_are() -> None:
    assert render("found", lines="costs $lines $5").endswith("costs $lines $5")


def test_the_first_message_is_the_same_for_every_plan(monty_sandbox: MontySandbox) -> None:
    model = writing([GOOD])
    attempt(model, monty_sandbox)
    assert model.asked[0][0] == Message(role=Role.SYSTEM, content=render("system"))


def test_the_hash_of_the_prompts_is_64_hexadecimal_digits_and_stable() -> None:
    assert re.fullmatch("[0-9a-f]{64}", prompts_hash())
    assert prompts_hash() == prompts_hash()


def test_what_a_prompt_is_made_of_holds_no_trajectory() -> None:
    held = ["plan", "queries", "functions", "library", "name_taken", "refusals"]
    assert [item.name for item in fields(Brief)] == held
    assert [item.name for item in fields(NumberedQuery)] == ["number", "text", "buffered"]


@pytest.mark.parametrize("sources", [(ALWAYS_TWO, GOOD), (ALWAYS_TWO, ALWAYS_TWO)], ids=["corrected", "refused-twice"])
def test_no_text_of_an_observation_reaches_the_prompt(monty_sandbox: MontySandbox, sources: tuple[str, str]) -> None:
    model = writing(sources)
    result = attempt(model, monty_sandbox)
    recorded = "".join(finding.message for finding in result.rounds[0][0].verdict.findings)
    assert MARK.search(recorded)  # the verdict, which people read, shows what was recorded
    said = "".join(message.content for messages in model.asked for message in messages)
    assert MARK.search(said) is None
    assert not any(street in said for street in STREETS.values())


def test_held_out_queries_are_shown_only_once_the_source_stands(monty_sandbox: MontySandbox) -> None:
    model = writing([GOOD])
    attempt(model, monty_sandbox)
    loop, binding = ("".join(message.content for message in messages) for messages in model.asked)
    shown = set(re.findall(r"for (\w+)$", loop, re.MULTILINE))
    later = set(re.findall(r"for (\w+)$", binding, re.MULTILINE))
    assert shown | later == set(STREETS)
    assert shown & later == set()
    assert "for _ in range" not in binding
