"""`[tool.nucleate]` and the evidence files: what can be written there, and what each mistake says."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from nucleate_codifier.repository import RepositoryError, ToolFile, open_repository
from nucleate_codifier.repository.config import Config
from nucleate_codifier.values import AdmissionPolicy
from nucleate_sandbox import Effect, RecordedEnvironment
from tests.codifier.repository.files import CONFIG, OFFERS, best, example, jsonl, read_functions, repository

APPROVAL = '\n[tool.nucleate.approvals."shop.cancel_all"]\nby = "Ada Example"\nwhy = "asked for by support"\n'


def _tools(folder: Path) -> dict[str, ToolFile]:
    return {tool.name: tool for tool in open_repository([folder], read_functions=read_functions).tools}


def _message(folder: Path) -> str:
    with pytest.raises(RepositoryError) as caught:
        _tools(folder)
    return str(caught.value)


def test_the_policy_is_read_by_the_names_of_its_fields(tmp_path: Path) -> None:
    strict = f'{CONFIG}min_queries = 3\nmin_mutants_killed = 0.9\nallowed_imports = ["math"]\n{APPROVAL}'
    tool = _tools(repository(tmp_path, {"pyproject.toml": strict}))["cheapest"]
    assert tool.project.policy == AdmissionPolicy(
        min_queries=3,
        min_mutants_killed=0.9,
        allowed_imports=frozenset({"math"}),
        approved_destructive=frozenset({"shop.cancel_all"}),
    )


def test_no_field_of_the_policy_shares_its_name_with_another_key() -> None:
    assert {item.name for item in fields(AdmissionPolicy)} & Config.model_fields.keys() == set()


def test_the_nearest_configuration_counts(tmp_path: Path) -> None:
    nested = CONFIG.replace("shop.json", "../shop.json").replace("calls.jsonl", "../calls.jsonl")
    changes = {"tools/pyproject.toml": f"{nested}min_held_out = 2\n"}
    assert _tools(repository(tmp_path, changes))["cheapest"].project.policy.min_held_out == 2


def test_effects_can_be_corrected_for_a_strangers_document(tmp_path: Path) -> None:
    changed = f'{CONFIG}\n[tool.nucleate.effects]\n"shop.order" = "read"\n'
    environment = _tools(repository(tmp_path, {"pyproject.toml": changed}))["cheapest"].project.environment
    assert environment.functions["shop.order"].effect is Effect.READ


def test_recordings_answer_the_calls_of_examples_and_are_the_environment_to_try_things_on(tmp_path: Path) -> None:
    tool = _tools(repository(tmp_path))["cheapest"]
    (call,) = tool.evidence.held_out[0].calls
    assert call.result == {"offers": [{"sku": sku, "price": price} for sku, price in OFFERS["mugs"]]}
    assert [item.query for item in tool.evidence.seen] == [
        "Which lamp is the cheapest?",
        "I need a rug, and money is short",
    ]
    live = tool.project.environment.live
    assert isinstance(live, RecordedEnvironment)
    assert len(live.calls) == 3


def test_without_any_configuration_there_is_no_environment(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text(
        'def half(n: int) -> float:\n    """Halve."""\n    return n / 2\n', encoding="utf-8"
    )
    tool = _tools(tmp_path)["half"]
    assert (tool.candidate.scope, tool.project.environment.functions) == ("tools", {})


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("min_querys = 3\n", "[tool.nucleate] has no key 'min_querys'; did you mean 'min_queries'?"),
        ("min_queries = 0\n", "min_queries = 0 would admit without evidence; it must be more than 0"),
        ('min_queries = "3"\n', "min_queries is '3': Input should be a valid integer"),
        ('approved_destructive = ["x"]\n', 'write [tool.nucleate.approvals."function"] with `by` and `why`'),
        (APPROVAL.replace('why = "asked for by support"\n', ""), "'approvals.shop.cancel_all.why' is missing"),
        (
            APPROVAL.replace("cancel_all", "cancel"),
            "no function is named 'shop.cancel'; did you mean 'shop.cancel_all'?",
        ),
        (APPROVAL.replace("cancel_all", "order"), "approvals: 'shop.order' is not destructive"),
        (f"{APPROVAL}when = 3\n", "'approvals.shop.cancel_all.when' is not a key; an approval has `by` and `why`"),
        ('effects = {"shop.order" = "reads"}\n', "effects.shop.order is 'reads'"),
        ("gate_seconds = inf\n", "Out of range float values are not JSON compliant"),
        ("exclude = 'x'\n", "exclude is 'x': Input should be a valid"),
        ("= 3\n", "pyproject.toml: not TOML"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_what_to_write(tmp_path: Path, config: str, says: str) -> None:
    message = _message(repository(tmp_path, {"pyproject.toml": CONFIG + config}))
    assert message.startswith("pyproject.toml: ")
    assert says in message


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pyproject.toml": CONFIG.replace("shop.json", "none.json")}, "none.json: cannot be read (No such file"),
        ({"pyproject.toml": CONFIG.replace("calls.jsonl", "c*.json")}, "recordings: no file is named 'c*.json'"),
        ({"pyproject.toml": CONFIG.replace("calls.jsonl", "/etc/x")}, "recordings: '/etc/x' is no pattern"),
        ({"pyproject.toml": CONFIG.replace('"tools"]', '".."]')}, "lies outside the repository"),
        (
            {"pyproject.toml": CONFIG.replace("shop.json", "../../../etc/passwd")},
            "'passwd' lies outside the repository",
        ),
        ({"shop.json": "broken"}, "shop.json: no functions in it; describe some"),
        ({"calls.jsonl": jsonl({"function": "shop.search"})}, 'calls.jsonl:1: the call has no answer; add "result"'),
        (
            {"calls.jsonl": jsonl({"function": "shop.serch", "result": 1})},
            "calls.jsonl:1: the environment has no function 'shop.serch'; did you mean 'shop.search'?",
        ),
    ],
)
def test_what_the_configuration_leads_to_is_checked(tmp_path: Path, changes: dict[str, str], says: str) -> None:
    assert says in _message(repository(tmp_path, changes))


LAMPS = example("lamps")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not JSON ("),
        ("[1]", "[1] is not an object; write one object on each line"),
        ('{"query": "q", "query": "r"}', "an object has a key twice"),
        (jsonl({**LAMPS, "querry": 1}), "'querry' is not a key; did you mean 'query'?"),
        (jsonl({**LAMPS, "held_out": "yes"}), "held_out is 'yes': Input should be a valid boolean"),
        (jsonl({**LAMPS, "query": ""}), "query is ''"),
        (jsonl({**LAMPS, "calls": [{"function": "shop.search", "args": {}}]}), "'calls.0.args' is not a key"),
        (jsonl(example("lamps", calls=[{"function": "shop.order"}])), "shop.order({}): no recording answers it"),
    ],
)
def test_a_line_that_is_no_example_is_named_with_its_number(tmp_path: Path, line: str, says: str) -> None:
    message = _message(repository(tmp_path, {"tools/cheapest.examples.jsonl": "\n" + line}))
    assert message.startswith("tools/cheapest.examples.jsonl:2: ")
    assert says in message


def test_two_recorded_answers_that_differ_must_be_told_apart_in_the_example(tmp_path: Path) -> None:
    orders = [{"function": "shop.order", "arguments": {"sku": "L2"}, "result": {"order_id": key}} for key in "ab"]
    lines = jsonl(example("lamps", calls=[{"function": "shop.order", "arguments": {"sku": best("lamps")}}]))
    calls = (repository(tmp_path) / "calls.jsonl").read_text(encoding="utf-8") + jsonl(*orders)  # type: ignore[arg-type]
    repository(tmp_path, {"calls.jsonl": calls, "tools/cheapest.examples.jsonl": lines})
    assert "the recordings hold 2 different answers" in _message(tmp_path)


def test_a_recorded_error_is_a_text_or_an_object(tmp_path: Path) -> None:
    errors = [
        {"function": "shop.order", "arguments": {"sku": "Z"}, "error": error}
        for error in ("gone", {"kind": "Sold", "message": "m"})
    ]
    calls = jsonl(example("lamps", calls=[*errors]))  # type: ignore[list-item]
    found = _tools(repository(tmp_path, {"tools/cheapest.examples.jsonl": calls}))["cheapest"].evidence.seen[0].calls
    assert [(call.error.kind, call.error.message) for call in found[1:] if call.error] == [
        ("FunctionError", "gone"),
        ("Sold", "m"),
    ]
