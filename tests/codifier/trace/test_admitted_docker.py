"""What the trace codifier writes passes every gate in real containers, whatever kind of data flow it is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from nucleate_codifier import AdmissionPolicy, Decision, EnvironmentView, Finding, LibraryView, admit
from nucleate_codifier.trace import Codified, Refusal
from nucleate_sandbox import DockerSandbox
from tests.codifier.trace import choices as chosen
from tests.codifier.trace import services
from tests.codifier.trace.recordings import Recording, cancelled_in_words, each, read_orders
from tests.codifier.trace.runs import DESK, compiled, tool

pytestmark = pytest.mark.docker

RECORDINGS: dict[str, Recording] = {
    "one by one": chosen.swapped_items,
    "by options": chosen.products_in_words,
    "least in stock": partial(chosen.cheapest_offer, in_stock=True),
    "some of a list": chosen.pending_orders,
    "list and sum": chosen.packed_order,
    "pages by number": chosen.offers_by_page,
    "pages by cursor": partial(chosen.offers_by_page, way="next"),
    "other forms": chosen.letters_to_users,
    "reads of a list": read_orders,
    "a batch of writes": cancelled_in_words,
}


@pytest.mark.parametrize("recording", RECORDINGS.values(), ids=RECORDINGS.keys())
def test_a_compiled_tool_is_admitted(recording: Recording, docker_sandbox: DockerSandbox) -> None:
    assert _judged(compiled(each(recording, count=12)), LibraryView(), docker_sandbox) == (Decision.ADMITTED, ())


def test_a_tool_is_admitted_that_calls_one_whose_choice_may_find_nothing(docker_sandbox: DockerSandbox) -> None:
    known = tool(compiled(each(services.product_of_an_order, count=6)))
    known = replace(known, capabilities=("desk.get_user_details", "desk.get_order_details", "desk.get_product_details"))
    made = compiled(each(services.product_and_ticket, count=6), tools=[known])
    assert isinstance(made, Codified), made
    assert f"{known.name}(" in made.candidate.source
    assert _judged(made, LibraryView(tools={known.name: known}), docker_sandbox) == (Decision.ADMITTED, ())


def _judged(
    outcome: Codified | Refusal, library: LibraryView, sandbox: DockerSandbox
) -> tuple[Decision, tuple[Finding, ...]]:
    assert isinstance(outcome, Codified), outcome
    verdict = admit(
        outcome.candidate,
        library=library,
        environment=EnvironmentView(name="desk", functions=DESK),
        sandbox=sandbox,
        evidence=outcome.evidence,
        policy=AdmissionPolicy(),
    )
    return verdict.decision, verdict.findings
