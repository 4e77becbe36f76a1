"""What the trace codifier writes passes every gate in real containers, whatever kind of data flow it is."""

from __future__ import annotations

from functools import partial

import pytest

from nucleate_codifier import AdmissionPolicy, Decision, EnvironmentView, LibraryView, admit
from nucleate_codifier.trace import Codified
from nucleate_sandbox import DockerSandbox
from tests.codifier import trace_choices as chosen
from tests.codifier.trace_recordings import Recording, each
from tests.codifier.trace_runs import DESK, compiled

pytestmark = pytest.mark.docker

RECORDINGS: dict[str, Recording] = {
    "one by one": chosen.swapped_items,
    "by options": chosen.products_in_words,
    "least in stock": partial(chosen.cheapest_offer, in_stock=True),
    "first in stock": chosen.first_in_stock,
    "some of a list": chosen.pending_orders,
    "list and sum": chosen.packed_order,
    "pages by number": chosen.offers_by_page,
    "pages by cursor": partial(chosen.offers_by_page, way="next"),
    "other forms": chosen.letters_to_users,
}


@pytest.mark.parametrize("recording", RECORDINGS.values(), ids=RECORDINGS.keys())
def test_a_compiled_tool_is_admitted(recording: Recording, docker_sandbox: DockerSandbox) -> None:
    outcome = compiled(each(recording, count=6))
    assert isinstance(outcome, Codified), outcome
    verdict = admit(
        outcome.candidate,
        library=LibraryView(),
        environment=EnvironmentView(name="desk", functions=DESK),
        sandbox=docker_sandbox,
        evidence=outcome.evidence,
        policy=AdmissionPolicy(),
    )
    assert (verdict.decision, verdict.findings) == (Decision.ADMITTED, ())
