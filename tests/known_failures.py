"""Tests that fail and are to be mended: each is expected to fail, with the reason, so that nothing new hides among them.

Whoever mends one deletes its line. Nothing is added here that could be mended instead.
"""

from __future__ import annotations

TO_A_MODEL = "the trace codifier now makes the tool that this leaves to a model"
KNOWN_FAILURES = {
    "tests/runtime/mcp/test_listing.py::test_a_tool_whose_schema_is_broken_costs_no_other_its_place": (
        "a fault costs a keyword now, so that this schema breaks no tool; the test needs one that still does"
    ),
    "tests/runtime/mcp/test_passing_on.py::test_every_tool_and_every_answer_passes_word_for_word": (
        "the tool 'letters' can be read now; the test needs one that still cannot"
    ),
    "tests/runtime/mcp/test_proxy.py::test_agents_that_know_nothing_of_it_are_learned_from": (
        "the look-up that gave the customer is cut off the tool"
    ),
    "tests/integration/test_model_codifier.py::test_refused_once_corrected_and_admitted_by_every_gate": TO_A_MODEL,
    "tests/integration/test_model_codifier.py::test_the_trace_codifier_comes_first_and_says_why_it_left_the_plan_to_the_model": TO_A_MODEL,
    "tests/integration/test_model_codifier.py::test_nothing_that_was_observed_is_sent": TO_A_MODEL,
    "tests/integration/test_model_codifier.py::test_an_outage_of_the_model_leaves_the_plan_due_and_a_later_process_takes_it_up": TO_A_MODEL,
    "tests/integration/test_model_codifier.py::test_recorded_exchanges_are_replayed_to_the_same_tool_without_a_model": TO_A_MODEL,
    "tests/runtime/reflection/test_injection.py::test_without_a_model_such_an_answer_leaves_nothing_at_all": (
        "the honest plan of these runs is not induced any more"
    ),
    "tests/integration/test_own_loop.py::test_the_tenth_task_calls_a_learned_tool_and_nothing_else": (
        "the tool is learned, but not offered: no word of the tasks names what it writes"
    ),
    "tests/integration/test_own_loop.py::test_without_docker_the_same_happens": (
        "the tool is learned, but not offered: no word of the tasks names what it writes"
    ),
}
"""The beginning of a test's id, and why it fails."""
