"""The one JSON form of a recorded run and of its calls: stored with a version, written to files, shown."""

from __future__ import annotations

from nucleate_codifier.values import Example
from nucleate_sandbox import Call, Failure, Json, JsonObject


def example_json(example: Example) -> JsonObject:
    """Return a run as JSON."""
    return {
        "task_id": example.task_id,
        "query": example.query,
        "arguments": example.arguments,
        "result": example.result,
        "calls": [call_json(call) for call in example.calls],
    }


def call_json(call: Call) -> JsonObject:
    """Return a call as JSON: with its result, or with the error that it ended in."""
    made: JsonObject = {"function": call.function, "arguments": call.arguments}
    if call.error is not None:
        return {**made, "error": {"kind": call.error.kind, "message": call.error.message}}
    return {**made, "result": call.result}


def read_example(value: JsonObject) -> Example:
    """Return the run that was written."""
    return Example(
        task_id=str(value["task_id"]),
        query=str(value["query"]),
        arguments=_object(value["arguments"]),
        result=value["result"],
        calls=tuple(read_call(item) for item in objects_in(value["calls"])),
    )


def read_call(value: JsonObject) -> Call:
    """Return the call that was written."""
    error = value.get("error")
    failure = Failure(kind=str(error["kind"]), message=str(error["message"])) if isinstance(error, dict) else None
    arguments = _object(value["arguments"])
    return Call(function=str(value["function"]), arguments=arguments, result=value.get("result"), error=failure)


def objects_in(value: Json) -> list[JsonObject]:
    """Return the objects of a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
