"""Small recordings for the trace codifier: a desk of users, orders and tickets, and plans over them."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.trace import Codified, Refusal, codify
from nucleate_codifier.values import Finding, LibraryView
from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject
from nucleate_text_memory import Entry, Kind, Occurrence, Step, Trajectory
from nucleate_tool_library import ToolVersion, read_signature


def spec(
    name: str, effect: Effect = Effect.READ, doc: str = "", returns: JsonObject | None = None, **types: Json
) -> FunctionSpec:
    """Return a function whose arguments are given as `name="type"`; a trailing `?` makes one optional."""
    properties: JsonObject = {
        argument: {"type": kind.rstrip("?")} if isinstance(kind, str) else kind for argument, kind in types.items()
    }
    required: list[Json] = [
        argument for argument, kind in types.items() if not (isinstance(kind, str) and kind.endswith("?"))
    ]
    parameters: JsonObject = {"type": "object", "properties": properties, "required": required}
    return FunctionSpec(name=name, doc=doc, parameters=parameters, returns=returns or {}, effect=effect)


FIND = """

def _find(rows: list[Any], field: str, value: object) -> dict[str, Any]:
    found = [row for row in rows if row.get(field) == value]
    if not found:
        raise LookupError(f"none of these has the {field} {value!r}")
    if any(row != found[0] for row in found):
        raise LookupError(f"AmbiguousMatch: {len(found)} of these have the {field} {value!r}: {str(found):.999}")
    return found[0]
"""
"""What stands at the end of every tool that chooses an element."""

ORDER: JsonObject = {"type": "object"}
DESK = {
    function.name: function
    for function in (
        spec(
            "desk.find_user_id_by_email", doc="Find a user's id by email.", returns={"type": "string"}, email="string"
        ),
        spec("desk.get_user_details", doc="Get a user.", returns=ORDER, user_id="string"),
        spec("desk.get_order_details", doc="Get an order.", returns=ORDER, order_id="string"),
        spec("desk.get_product_details", doc="Get a product.", returns=ORDER, product_id="string"),
        spec("desk.cancel_order", Effect.WRITE, "Cancel an order.", ORDER, order_id="string", reason="string"),
        spec("desk.create_ticket", Effect.WRITE, "Open a ticket.", ORDER, title="string", priority="integer?"),
        spec("desk.ship_order", Effect.WRITE, "Ship an order.", ORDER, order_id="string", parcel={"type": "object"}),
        spec("desk.search_offers", doc="Search the offers.", returns=ORDER, category="string"),
        spec(
            "desk.list_offers", doc="List offers.", returns=ORDER, category="string", page="integer?", cursor="string?"
        ),
        spec("desk.buy_offer", Effect.WRITE, "Buy an offer.", ORDER, offer_id="string"),
        spec("desk.pack", Effect.WRITE, "Pack an order.", ORDER, skus={"type": "array"}, weight="number"),
        spec("desk.swap", Effect.WRITE, "Swap items.", ORDER, order_id="string", item_ids={"type": "array"}),
        spec("desk.lock", Effect.WRITE, "Lock the lamps.", ORDER, mode={"type": "string", "enum": ["LOCK", "OPEN"]}),
        spec(
            "desk.start",
            Effect.WRITE,
            "Start the lamps.",
            ORDER,
            mode={"type": "string", "enum": ["START", "STOP"]},
            priority="integer",
        ),
        spec("desk.notify", Effect.WRITE, "Write to a user.", {"type": "null"}, user_id="string", text="string"),
    )
}


def step(function: str, result: Json = None, **arguments: Json) -> Step:
    """Return a successful call of a desk function."""
    return Step(function=f"desk.{function}", arguments=arguments, result=result)


def run(number: int, query: str, *steps: Step) -> Trajectory:
    """Return one recorded run."""
    return Trajectory(task_id=f"task-{number}", query=query, environment="desk", steps=steps)


def without(trajectory: Trajectory, position: int) -> Occurrence:
    """Return the occurrence of a task that skips one step of the plan."""
    groups = occurrence(trajectory).groups
    return Occurrence(trajectory=trajectory, groups=(*groups[:position], (), *groups[position:]))


def occurrence(trajectory: Trajectory, *, skip: int = 0) -> Occurrence:
    """Return the occurrence of everything after the first `skip` steps, equal neighbours in one group."""
    groups: list[list[int]] = []
    for index, one in enumerate(trajectory.steps[skip:], start=skip):
        if groups and trajectory.steps[groups[-1][-1]].function == one.function:
            groups[-1].append(index)
        else:
            groups.append([index])
    return Occurrence(trajectory=trajectory, groups=tuple(tuple(group) for group in groups))


def plan(signature: Sequence[str]) -> Entry:
    """Return the plan with this signature."""
    return Entry(
        id="plan-1",
        kind=Kind.PLAN,
        scope="desk",
        title="A plan",
        body="",
        signature=tuple(signature),
        source="quorum",
        confidence=0.9,
    )


def tool(outcome: Codified | Refusal) -> ToolVersion:
    """Return the version that a candidate becomes; fail with the findings where there is none."""
    assert isinstance(outcome, Codified), outcome
    made = outcome.candidate
    signature = read_signature(made.source, made.name)
    return ToolVersion(name=made.name, scope="desk", source=made.source, signature=signature, template=made.template)


def compiled(
    trajectories: Sequence[Trajectory],
    *,
    skip: int = 0,
    taken: Sequence[str] = (),
    tools: Sequence[ToolVersion] = (),
    skipping: Sequence[Occurrence] = (),
) -> Codified | Refusal:
    """Codify the plan that all the runs follow from step `skip` on; `skipping` are tasks that leave a step out."""
    occurrences = [occurrence(trajectory, skip=skip) for trajectory in trajectories]
    signature = [trajectories[0].steps[group[0]].function for group in occurrences[0].groups]
    library = LibraryView(tools={version.name: version for version in tools})
    return codify(plan(signature), [*occurrences, *skipping], functions=DESK, library=library, name_taken=taken)


def source(trajectories: Sequence[Trajectory], *, skip: int = 0, taken: Sequence[str] = ()) -> str:
    """Return the source of the tool that the runs give; fail with the findings where they give none."""
    outcome = compiled(trajectories, skip=skip, taken=taken)
    assert isinstance(outcome, Codified), outcome
    return outcome.candidate.source


def findings(trajectories: Sequence[Trajectory], *, skip: int = 0) -> tuple[Finding, ...]:
    """Return the findings under which the runs are refused."""
    outcome = compiled(trajectories, skip=skip)
    assert isinstance(outcome, Refusal), outcome
    return outcome.findings


def rule(trajectories: Sequence[Trajectory], *, skip: int = 0) -> tuple[str, str]:
    """Return the rule and the message under which the runs are refused."""
    outcome = compiled(trajectories, skip=skip)
    assert isinstance(outcome, Refusal), outcome
    return outcome.findings[0].rule, outcome.findings[0].message
