"""Earlier tasks that read like one say what it wants, whatever its words are; a frame around all tasks says nothing."""

from __future__ import annotations

from nucleate.manager.moments import Moment
from nucleate.manager.precedents import FEATURES, Precedents, frame
from nucleate_text_memory import LocalEmbedder
from nucleate_text_memory.recordings.past_tasks import PastTask

PEOPLE = ("ada", "bo", "cy", "di")
BROKEN, ASKING = (
    "{0}@desk.test reports: {0} cannot print page {1}",
    "{0} asks which invoices of {1} are still to be paid",
)
OPEN, PAY = "desk.open_ticket", "desk.pay_invoice"


def _request(text: str, *called: str, group: str = "") -> PastTask:
    return PastTask(number=0, group=group or text, said=(text,), called=frozenset(called))


def _precedents(*requests: PastTask) -> Precedents:
    return Precedents(requests, {}, LocalEmbedder().embed)


TOLD = [_request(BROKEN.format(name, page), OPEN) for page, name in enumerate(PEOPLE)]
ASKED = [_request(ASKING.format(name, year), "desk.list_invoices") for year, name in enumerate(PEOPLE, start=2020)]


def test_where_all_tasks_that_read_alike_wrote_the_write_is_wanted() -> None:
    known = _precedents(*TOLD)
    assert known.agreed([BROKEN.format("fay", 9)], [OPEN, PAY]) == {OPEN}
    assert known.agreed(["What is the weather in Oslo tomorrow?"], [OPEN, PAY]) == frozenset()


def test_what_is_negated_is_not_wanted_however_it_reads() -> None:
    known = _precedents(*TOLD)
    assert known.agreed([BROKEN.format("fay", 9) + ", but do not open a ticket"], [OPEN]) == frozenset()


def test_trials_of_one_task_agree_as_one() -> None:
    trials = [_request(BROKEN.format("ada", page), OPEN, group="ada") for page in range(5)]
    assert _precedents(*trials).agreed([BROKEN.format("ada", 9)], [OPEN]) == frozenset()


def test_the_nearest_tasks_have_the_most_to_say() -> None:
    known = _precedents(*TOLD, *ASKED)
    at = FEATURES.index("served")
    told, asked = (
        known.features(Moment(said=(text,)), [OPEN])[OPEN][at]
        for text in (BROKEN.format("fay", 9), ASKING.format("fay", 2025))
    )
    assert told > 0.9 > 0.5 > asked


def test_without_any_run_nothing_is_wanted_but_by_words() -> None:
    features = _precedents().features(Moment(said=("Please open a ticket.",)), [OPEN])
    assert features == {OPEN: (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)}


def test_what_stands_around_every_task_is_left_out() -> None:
    head, tail = "You are a careful agent of the desk. Task: ", "\nAnswer in one line, and say no more than that."
    texts = [f"{head}{task}{tail}" for task in ("print page 1", "pay invoice 7", "find Ada", "open a ticket")]
    assert frame(texts).inside(f"{head}call Bo{tail}") == "call Bo"
    assert frame(texts[:2]).inside(texts[0]) == texts[0]
    assert frame(["print page 1", "print page 2", "print page 3"]).inside("print page 1") == "print page 1"
