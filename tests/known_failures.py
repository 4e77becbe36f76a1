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
}
"""The beginning of a test's id, and why it fails."""
