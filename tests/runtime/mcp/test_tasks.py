"""Where one task ends and the next begins, for agents that say so and for those that do not."""

from __future__ import annotations

from nucleate.mcp.client_tasks import Closing, Tasks
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Step, Trajectory


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Notebook:
    """Tasks over a list, and a clock to turn."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.stored: list[Trajectory] = []
        self.tasks = Tasks(self.stored.append, quiet=60.0, clock=self.clock)

    def call(self, function: str, session: str = "a", scope: str = "shop", **arguments: str) -> None:
        given: JsonObject = {**arguments}
        self.tasks.add(session, scope, Step(function=function, arguments=given), program="agent")

    @property
    def told(self) -> list[tuple[str, str, list[str]]]:
        return [(run.query, run.environment, [step.function for step in run.steps]) for run in self.stored]


def test_a_report_ends_the_task_with_its_own_words() -> None:
    book = Notebook()
    book.call("orders.get", id="W1")
    (run,) = book.tasks.finish("a", "Where is order W1?", Closing(success=True, feedback="fine"))
    assert book.stored == [run]
    assert (run.query, run.success, run.meta) == ("Where is order W1?", True, {"client": "agent", "feedback": "fine"})


def test_silence_ends_a_task_whose_query_is_the_first_text_of_several_words() -> None:
    book = Notebook()
    book.call("orders.get", id="W1")
    book.call("mail.send", to="ann@example.org", body="Your order has arrived")
    book.clock.now = 59.0
    assert (book.tasks.sweep(), book.told) == (0, [])
    book.clock.now = 60.0
    assert book.tasks.sweep() == 1
    assert book.told == [("Your order has arrived", "shop", ["orders.get", "mail.send"])]
    assert book.stored[0].meta == {"client": "agent", "query_said": False}


def test_what_an_agent_searched_for_says_more_than_an_argument() -> None:
    book = Notebook()
    book.tasks.searched("a", "refund an order", program="agent")
    book.call("orders.get", id="W1")
    book.tasks.close()
    assert book.told == [("refund an order", "shop", ["orders.get"])]


def test_a_task_that_is_begun_ends_the_one_before_and_repeating_it_changes_nothing() -> None:
    book = Notebook()
    for query in ("first", "first", "second"):
        book.tasks.begin("a", query)
        book.call(f"do.{query}")
    book.tasks.close()
    assert book.told == [("first", "shop", ["do.first", "do.first"]), ("second", "shop", ["do.second"])]


def test_calls_before_the_task_is_named_belong_to_it() -> None:
    book = Notebook()
    book.call("orders.list")
    book.tasks.begin("a", "Count the orders")
    book.call("orders.get", id="W1")
    book.tasks.close()
    assert book.told == [("Count the orders", "shop", ["orders.list", "orders.get"])]


def test_sessions_are_kept_apart_and_so_are_environments() -> None:
    book = Notebook()
    book.tasks.begin("a", "mine")
    book.tasks.begin("b", "yours")
    book.call("orders.get", session="a")
    book.call("files.read", session="b", scope="disk")
    book.call("files.write", session="a", scope="disk")
    book.tasks.close()
    assert book.told == [
        ("mine", "shop", ["orders.get"]),
        ("mine", "disk", ["files.write"]),
        ("yours", "disk", ["files.read"]),
    ]


def test_calls_without_any_word_teach_nothing() -> None:
    book = Notebook()
    book.call("orders.list")
    assert book.tasks.finish("a", "", Closing()) == ()
    assert book.stored == []


def test_a_task_without_calls_is_none() -> None:
    book = Notebook()
    book.tasks.begin("a", "Think")
    assert book.tasks.finish("a", "Think", Closing(success=True)) == ()
