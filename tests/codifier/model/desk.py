"""Attempts of the model codifier on recorded runs of the mailroom, without a runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from nucleate.environments import ObjectEnvironment
from nucleate_codifier.chat import ChatModel, Message, ScriptedModel
from nucleate_codifier.model import Attempt, Budget, HelperJudge, Tools, Workshop, codify_with_model, prepare
from nucleate_codifier.values import AdmissionPolicy, EnvironmentView, LibraryView
from nucleate_sandbox import Environment, Sandbox
from nucleate_text_memory import Entry, Kind, Occurrence, Step, Trajectory
from tests.mailroom import STREETS, TASKS, Mailroom, query, writer

PLAN = Entry(
    id="plan-1",
    kind=Kind.PLAN,
    scope="mailroom",
    title="Find the street, print labels",
    body="1. Find the street of a customer.\n2. Print one address label, once or more.",
    signature=("mailroom.find_street", "mailroom.print_label"),
    source="quorum",
    confidence=0.9,
)
POLICY = AdmissionPolicy(property_examples=5)
TASK_IDS = tuple(f"task-{index}" for index in range(len(TASKS)))


def occurrence(index: int) -> Occurrence:
    """Return the recorded run of one task."""
    customer, count = TASKS[index]
    street = STREETS[customer]
    found = Step(
        function="mailroom.find_street",
        arguments={"customer": customer},
        result={"customer": customer, "street": street},
    )
    prints = [
        Step(
            function="mailroom.print_label",
            arguments={"street": street},
            result={"label_id": f"L-{index}{number}", "street": street},
        )
        for number in range(count)
    ]
    run = Trajectory(task_id=f"task-{index}", query=query(index), environment="mailroom", steps=(found, *prints))
    return Occurrence(trajectory=run, groups=((0,), tuple(range(1, count + 1))))


def minded(mind: Callable[[list[str]], str]) -> ScriptedModel:
    """Return a scripted model with this mind."""

    def answer(messages: Sequence[Message]) -> str:
        return mind([message.content for message in messages])

    return ScriptedModel(answer)


def writing(sources: Iterable[str], *looks: dict[str, Any]) -> ScriptedModel:
    """Return a scripted model that looks around, then submits these sources one after another."""
    return minded(writer(sources, *looks))


def by_name(_query: str, documents: Mapping[str, str]) -> list[tuple[str, float]]:
    """Rank documents by their name."""
    return [(name, 1.0) for name in sorted(documents)]


def attempt(
    model: ChatModel,
    sandbox: Sandbox,
    *,
    tasks: Sequence[int] = range(len(TASKS)),
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    library: LibraryView = LibraryView(),  # noqa: B008 - a frozen value
    taken: Iterable[str] = (),
    live: Environment | None = None,
) -> Attempt:
    """Let a model work on the mailroom's plan."""
    functions = ObjectEnvironment("mailroom", Mailroom()).functions
    environment = EnvironmentView(name="mailroom", functions=functions, live=live)
    brief, records = prepare(
        PLAN,
        [occurrence(index) for index in tasks],
        buffered=TASK_IDS[:3],
        functions=functions,
        library=library,
        name_taken=frozenset(taken),
    )
    tools = Tools(
        model=model,
        budget=budget,
        workshop=Workshop(environment=environment, library=library, sandbox=sandbox),
        court=HelperJudge(environment=environment, sandbox=sandbox, policy=POLICY),
        rank=by_name,
    )
    return codify_with_model(brief, records, tools)
