"""The generality gate: literals, distinct queries, parameters, twins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_codifier.admission.generality.duplicates import ByEmbedding
from nucleate_codifier.admission.generality.generality_gate import distinct_runs, generality_gate
from nucleate_codifier.values import Evidence, Example, LibraryView
from nucleate_sandbox import JsonObject
from nucleate_text_memory import LocalEmbedder
from nucleate_tool_library import ToolVersion, read_signature
from tests.codifier.shop import ANN, BOB, CY, EVIDENCE, GOOD, replaced, rules, subject

HEAD = '    """Refund a share of each delivered order of a customer, and return the refunds\' ids."""\n'


def with_line(line: str) -> str:
    return replaced(GOOD, (HEAD, f"{HEAD}    {line}\n"))


def asking(*queries: str) -> Evidence:
    runs = [replace(run, query=query) for run, query in zip((ANN, BOB, CY), queries, strict=True)]
    return Evidence(seen=tuple(runs[:2]), held_out=tuple(runs[2:]))


def run(query: str, arguments: JsonObject) -> Example:
    return Example(task_id=query, query=query, arguments=arguments, result=None, calls=())


def library(source: str, name: str, *, scope: str = "shop") -> LibraryView:
    version = ToolVersion(
        name=name,
        scope=scope,
        source=source,
        signature=read_signature(source, name),
        capabilities=("orders.search", "refunds.create"),
        template={"steps": ["search", "refund"]},
    )
    return LibraryView(tools={name: version})


def test_a_general_tool_passes() -> None:
    result = generality_gate(subject())
    assert (result.findings, dict(result.counts)) == ((), {"queries": 3})


@pytest.mark.parametrize(
    ("literal", "query"),
    [
        ('"Springfield"', "Refund Ann in springfield"),
        ('"W2378156"', "Cancel order #W2378156, please"),
        ('"order W2378156 of today"', "Cancel W2378156"),
        ('"gift cards"', "I want a gift card"),
        ('"2024-05-15"', "Everything since May 15, 2024"),
        ("12", "The last twelve orders"),
        ("1250", "Not more than 1,250 dollars"),
        ("37.5", "37.50 back to Ann"),
        ('"2024-05-01"', "Everything since May 1st"),
        ('"2024-05-01"', "Everything since the first of May"),
        ('"2024-05-01"', "Everything since 1 May 2024"),
        ('"2024-05-01"', "Everything since Sep 3 and 5/1/24"),
        ('"May 1, 2024"', "Everything since 2024-05-01"),
        ('"01.05.2024"', "Everything since May the 1st, 2024"),
        ('"from 2024-05-01T00:00:00"', "Everything since 01/05/2024"),
        ('"battery"', "Refund my batteries"),
        ('"BOX"', "Refund three boxes"),
        ('"customer\'s"', "Refund of that Customer"),
        ("42", "The forty-two orders"),
        ("342", "Three hundred and forty-two euros"),
        ("1250", "Up to $1,250.00"),
        ("5000", "Up to five thousand"),
        ("5000", "Up to 5k"),
        ("2500000", "Up to 2.5 million"),
        ("0.15", "A discount of 15%"),
        ("21", "On the 21st"),
        ("12.0", "A dozen orders"),
    ],
)
def test_a_literal_from_one_query_is_refused_however_it_is_written(literal: str, query: str) -> None:
    evidence = asking(query, "Everything back to Bob", "Please refund Cy")
    (finding,) = generality_gate(subject(with_line(f"wanted = {literal}"), evidence=evidence)).findings
    assert (finding.rule, finding.line, finding.fix) == ("generality/query-literal", 6, "make it a parameter")
    assert "'t1'" in finding.message


@pytest.mark.parametrize(
    ("literal", "query"),
    [
        ('"Spring"', "Refund Ann in Springfield"),
        ('"an"', "an order of Ann"),
        ("2", "two orders of Ann, 2 in all"),
        ('"delivered"', "what was delivered to Ann"),
        ("True", "is it true, Ann?"),
        ("{'ann': customer}", "Refund Ann"),
        ("''", "Refund Ann"),
    ],
)
def test_parts_of_words_small_numbers_and_words_of_the_schema_may_stand(literal: str, query: str) -> None:
    evidence = asking(query, "Everything back to Bob", "Please refund Cy")
    assert rules(generality_gate(subject(with_line(f"wanted = {literal}"), evidence=evidence))) == []


def test_a_word_that_every_query_has_may_stand() -> None:
    evidence = asking("refund for Ann", "a refund to Bob", "refund Cy")
    assert rules(generality_gate(subject(with_line('wanted = "refund"'), evidence=evidence))) == []


def test_a_value_that_every_run_has_in_its_calls_may_stand() -> None:
    evidence = asking("the customer's W101", "a customer", "Cy")
    source = with_line('wanted = "customer"')
    assert rules(generality_gate(subject(source, evidence=evidence))) == []


def test_a_docstring_may_name_an_example() -> None:
    source = replaced(GOOD, ("Refund a share", "Refund a share (half, for Ann)"))
    assert rules(generality_gate(subject(source))) == []


def test_one_query_asked_twice_is_one_query() -> None:
    evidence = asking("Refund Ann!", "refund  ANN", "Refund, Ann")
    assert rules(generality_gate(subject(evidence=evidence))) == ["generality/too-few-queries"]


def test_two_wordings_of_one_input_are_one_query() -> None:
    other = replace(ANN, query="Half of it goes back to Ann")
    evidence = Evidence(seen=(ANN, other), held_out=())
    result = generality_gate(subject(evidence=evidence))
    assert rules(result) == ["generality/too-few-queries", "generality/constant-parameters"]


def test_runs_are_counted_by_the_best_pairing_of_queries_and_inputs() -> None:
    first, second = run("a", {"x": 1}), run("a", {"x": 2})
    assert distinct_runs((first, second)) == 1
    assert distinct_runs((second, first, run("b", {"x": 2}))) == 2
    assert distinct_runs((run("a", {}), run("b", {}), run("B!", {}))) == 2
    assert distinct_runs(()) == 0


def test_a_parameter_that_nothing_reads_is_named() -> None:
    source = replaced(GOOD, ("share: float)", "share: float, note: str)"))
    (finding,) = generality_gate(subject(source)).findings
    assert (finding.rule, finding.message) == ("generality/unused-parameter", "parameter 'note' is never read")


def test_a_twin_under_other_names_is_named() -> None:
    twin = replaced(
        GOOD,
        ("refund_delivered", "pay_back"),
        ("customer: str, share: float", "who: str, part: float"),
        ("customer=customer", "customer=who"),
        ("* share", "* part"),
        ("Refund a share", "Pay back a part"),
    )
    given = replace(subject(), library=library(twin, "pay_back"))
    (finding,) = generality_gate(given).findings
    assert (finding.rule, finding.message) == ("generality/near-duplicate", "it has the body of the tool 'pay_back'")


def test_a_tool_with_the_same_template_and_capabilities_is_a_twin() -> None:
    other = replaced(GOOD, ("refund_delivered", "pay_back"), ("==", "!="))
    given = replace(subject(), library=library(other, "pay_back"))
    assert rules(generality_gate(given)) == []
    same = replace(given.candidate, template={"steps": ["search", "refund"]})
    assert rules(generality_gate(replace(given, candidate=same))) == ["generality/near-duplicate"]


def test_a_tool_that_does_the_same_in_another_way_is_a_twin_by_its_behaviour() -> None:
    other = replaced(
        GOOD,
        ("refund_delivered", "pay_back"),
        ("customer: str, share: float", "who: str, part: float"),
        ("customer=customer", "customer=who"),
        ("* share", "* part"),
        ("    refunds = []", "    refunds: list[str] = list()"),
    )
    given = replace(subject(), library=library(other, "pay_back"))
    (finding,) = generality_gate(given).findings
    assert (finding.rule, finding.message) == (
        "generality/same-behaviour",
        "it does on every example what is done by the tool 'pay_back'",
    )


def test_a_tool_that_says_the_same_is_a_twin_by_its_words() -> None:
    other = replaced(GOOD, ("refund_delivered", "refund_what_was_delivered"), ("==", "!="))
    view = library(other, "refund_what_was_delivered")
    near = replace(view, similar=ByEmbedding(embedder=LocalEmbedder()))
    assert rules(generality_gate(replace(subject(), library=view))) == []
    assert rules(generality_gate(replace(subject(), library=near))) == ["generality/same-words"]


def test_a_tool_that_says_something_else_is_no_twin() -> None:
    other = replaced(
        GOOD,
        ("refund_delivered", "cancel_open"),
        ("Refund a share of each delivered", "Cancel each open"),
        ("==", "!="),
    )
    near = replace(library(other, "cancel_open"), similar=ByEmbedding(embedder=LocalEmbedder()))
    assert rules(generality_gate(replace(subject(), library=near))) == []


def test_its_own_earlier_version_other_scopes_and_other_tools_are_no_twins() -> None:
    for view in (
        library(GOOD, "refund_delivered"),
        library(replaced(GOOD, ("refund_delivered", "pay_back")), "pay_back", scope="bank"),
        library(replaced(GOOD, ("refund_delivered", "pay_back"), ("==", "!=")), "pay_back"),
    ):
        assert rules(generality_gate(replace(subject(), library=view))) == []


def test_the_evidence_of_the_good_tool_is_what_these_tests_think() -> None:
    assert [example.task_id for example in (*EVIDENCE.seen, *EVIDENCE.held_out)] == ["t1", "t2", "t3"]
