"""The pages about the corpus have a row for every program and backend, and nothing got through."""

from __future__ import annotations

from collections import Counter

from nucleate_sandbox import Limit
from tests.sandbox.escapes.__main__ import DOCS
from tests.sandbox.escapes.case import Ending, gives, in_words
from tests.sandbox.escapes.corpus import CASES, CLASSES, harmless, met, on_monty, twin_on_monty
from tests.sandbox.escapes.monty import MONTY, TWINS
from tests.sandbox.escapes.page import SUMMARY, Row, pages

TEXT = (DOCS / SUMMARY).read_text("utf-8")
ROWS = "\n".join(path.read_text("utf-8") for path in sorted((DOCS / "hostile").glob("*.md")))
NAMES = [item.name for _, item in CASES]


def test_the_corpus_has_at_least_120_programs_and_several_of_every_class_each_with_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert (len(NAMES) >= 120, [group for group, items in CLASSES.items() if len(items) < 20]) == (True, [])


def test_every_program_has_a_row_with_an_outcome_on_each_backend_and_a_twin() -> None:
    rows = [line.replace("\\|", "/").split(" | ") for line in ROWS.splitlines() if line.startswith("| ")]
    whole = {row[0].removeprefix("| ") for row in rows if len(row) == 6 and all(cell.strip() for cell in row)}
    assert [name for name in NAMES if name not in whole] == []


def test_the_page_says_that_nothing_got_through() -> None:
    assert (f"| **all** | **{len(NAMES)}** | | | **0** |" in TEXT, "NOT AS IT MUST" in TEXT + ROWS) == (True, False)


def test_what_is_said_of_monty_is_said_of_programs_that_there_are() -> None:
    assert (sorted(MONTY.keys() - set(NAMES)), sorted(TWINS.keys() - set(NAMES))) == ([], [])


def test_a_program_that_gets_through_is_counted_and_marked() -> None:
    group, item = CASES[0]
    good = (item.docker[0], on_monty(item)[0])
    twins = (harmless(item), twin_on_monty(item)[0])
    held = Row(group=group, item=item, endings=good, twins=twins)
    lost = Row(group=group, item=item, endings=(Ending(value="the host"), good[1]), twins=twins)
    assert ["".join(pages(rows).values()).count("NOT AS IT MUST") for rows in ([held], [held, lost])] == [0, 1]
    assert "| **all** | **2** | | | **1** |" in pages([held, lost])[SUMMARY]


def test_an_ending_is_told_from_one_that_only_equals_it() -> None:
    assert [met(gives(1), Ending(value=value)) for value in (1, True, 1.0)] == [True, False, False]
    assert [met(gives(None), item) for item in (Ending(), Ending(kind="KeyError"), Ending(limit=Limit.WALL))] == [
        True,
        False,
        False,
    ]
    assert in_words(gives("a|b")) == '`"a\\|b"`'
