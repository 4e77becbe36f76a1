"""Tests that fail and are to be mended: each is expected to fail, with the reason, so that nothing new hides among them.

Whoever mends one deletes its line. Nothing is added here that could be mended instead.
"""

from __future__ import annotations

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
    "tests/evals/test_expressions.py::test_every_expression_takes_time_in_proportion": (
        "an expression that came last is not linear yet"
    ),
    "tests/evals/test_library_drift.py::test_every_tool_hit_is_marked_before_its_next_call_and_no_other": (
        "one change of five marks no tool; not looked into"
    ),
    "tests/integration/test_model_codifier.py::": "the trace codifier now makes the tool that these leave to a model",
    "tests/runtime/reflection/test_injection.py::test_without_a_model_such_an_answer_leaves_nothing_at_all": (
        "the honest plan of these runs is not induced any more"
    ),
    "tests/sandbox/docker/test_calls.py::test_the_rehearsal_of_a_call_leaves_nothing_behind": (
        "a rehearsed call leaves its module in sys.modules"
    ),
    "tests/integration/test_own_loop.py::test_the_tenth_task_calls_a_learned_tool_and_nothing_else": (
        "the look-up that gave the customer is cut off the tool"
    ),
    "tests/integration/test_own_loop.py::test_without_docker_the_same_happens": (
        "the look-up that gave the customer is cut off the tool"
    ),
    "tests/runtime/release/test_cli.py::test_what_cannot_be_rebuilt_is_archived_with_exit_code_1": (
        "a suspect tool waits some days before it is archived; the test needs `suspect_days=0`"
    ),
    "tests/integration/test_postgres.py::test_a_server_that_is_not_there_is_named_without_the_password": (
        "opening waits for the first use of the database now"
    ),
}
"""The beginning of a test's id, and why it fails."""
