"""Does a recorded run again on a copy of the environment, without the arguments that its functions no longer take."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_codifier import Example, Template
from nucleate_codifier.trace.carry_out.performing import perform
from nucleate_codifier.trace.expressions import Missing
from nucleate_sandbox import Call, Environment, FunctionError, FunctionSpec, Json, JsonObject
from nucleate_text_memory import Entry, Occurrence, Step, Trajectory
from nucleate_text_memory.learning.induction import occurrence


def redo(example: Example, template: JsonObject, world: Environment) -> tuple[Call, ...] | None:
    """Return the calls of a run as they come out now; None where it cannot be done any more.

    A template says which argument comes from which answer, so that what is new in an answer is carried on. Without
    one the recorded calls are made as they were.
    """
    made: list[Call] = []

    def answer(name: str, arguments: JsonObject) -> Json:
        given = still_taken(world.functions.get(name), arguments)
        result = world.call(name, given)
        made.append(Call(function=name, arguments=given, result=result))
        return result

    try:
        if template:
            perform(Template.from_json(template), example.arguments, answer)
        else:
            for call in example.calls:
                answer(call.function, call.arguments)
    except (FunctionError, Missing):
        return None
    return tuple(made)


def still_taken(spec: FunctionSpec | None, arguments: JsonObject) -> JsonObject:
    """Return the arguments that a function still has a parameter for."""
    if spec is None or spec.parameters.get("additionalProperties"):
        return arguments
    properties = spec.parameters.get("properties")
    known: Mapping[str, Json] = properties if isinstance(properties, dict) else {}
    return {name: value for name, value in arguments.items() if name in known}


def occurrence_of(example: Example, calls: tuple[Call, ...], plan: Entry) -> Occurrence | None:
    """Return a run that was done again as an occurrence of its plan; None where it does other things now."""
    steps = tuple(Step(function=call.function, arguments=call.arguments, result=call.result) for call in calls)
    done = Trajectory(task_id=example.task_id, query=example.query, environment=plan.scope, steps=steps)
    return occurrence(done, plan.signature)
