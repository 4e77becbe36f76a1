"""Evidence as JSON Lines: examples beside a tool, and recorded calls of the environment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nucleate_codifier.repository.files import lines, nearest
from nucleate_codifier.repository.project_values import RepositoryError
from nucleate_codifier.values import Evidence, Example
from nucleate_sandbox import Call, Failure, FunctionSpec, Json, JsonError, JsonObject, canonical, parse


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Error(_Line):
    kind: str = "FunctionError"
    message: str


class _Call(_Line):
    function: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    result: Any = None
    error: _Error | str | None = None


class _Example(_Line):
    query: str = Field(min_length=1)
    arguments: dict[str, Any]
    result: Any
    calls: list[_Call] = Field(default_factory=list)
    held_out: bool = False
    task_id: str | None = Field(default=None, min_length=1)


Model = TypeVar("Model", bound=_Line)


class Recordings:
    """Recorded calls by function and arguments, in order; checked against the environment's functions."""

    def __init__(self, functions: Mapping[str, FunctionSpec], calls: Iterable[Call] = ()) -> None:
        self.functions = functions
        self.calls = tuple(calls)
        self._answers: dict[str, list[Call]] = defaultdict(list)
        for call in self.calls:
            answers = self._answers[_key(call)]
            answers += [call] if call not in answers else []

    def answered(self, call: Call, place: str) -> Call:
        """Return the call with its recorded answer; none, or two that differ, is an error."""
        answers = self._answers.get(_key(call), [])
        if len(answers) == 1:
            return answers[0]
        found = "no recording answers it" if not answers else f"the recordings hold {len(answers)} different answers"
        raise RepositoryError(f'{place}: {_key(call)}: {found}; write "result" or "error" into this line')


def read_recordings(text: str, place: str, functions: Mapping[str, FunctionSpec]) -> Iterator[Call]:
    """Yield the calls of one file; `place` is its name in messages."""
    for number, line in lines(text):
        where = f"{place}:{number}"
        item = _read(line, _Call, where)
        if not _is_answered(item):
            raise RepositoryError(f'{where}: the call has no answer; add "result" or "error"')
        yield _call(item, where, functions)


def read_examples(text: str, place: str, recordings: Recordings) -> Evidence:
    """Return the evidence of one tool: what is marked `held_out` replays, the rest are examples."""
    seen: list[Example] = []
    held_out: list[Example] = []
    for number, line in lines(text):
        item = _read(line, _Example, f"{place}:{number}")
        (held_out if item.held_out else seen).append(_example(item, f"{place}:{number}", number, recordings))
    return Evidence(seen=tuple(seen), held_out=tuple(held_out))


def _example(item: _Example, where: str, number: int, recordings: Recordings) -> Example:
    calls = [(call, _call(call, where, recordings.functions)) for call in item.calls]
    return Example(
        task_id=item.task_id or f"line {number}",
        query=item.query,
        arguments=item.arguments,
        result=cast("Json", item.result),
        calls=tuple(call if _is_answered(given) else recordings.answered(call, where) for given, call in calls),
    )


def _is_answered(item: _Call) -> bool:
    return bool({"result", "error"} & item.model_fields_set)


def _call(item: _Call, where: str, functions: Mapping[str, FunctionSpec]) -> Call:
    if item.function not in functions:
        raise RepositoryError(
            f"{where}: the environment has no function {item.function!r}{nearest(item.function, functions)}"
        )
    error = _Error(message=item.error) if isinstance(item.error, str) else item.error
    failure = Failure(kind=error.kind, message=error.message) if error is not None else None
    return Call(function=item.function, arguments=item.arguments, result=cast("Json", item.result), error=failure)


def _read(line: str, model: type[Model], where: str) -> Model:
    try:
        return model.model_validate(_object(line, where))
    except ValidationError as error:
        problems = "; ".join(_problem(cast("JsonObject", item), model) for item in error.errors(include_url=False))
        raise RepositoryError(f"{where}: {problems}") from error


def _object(line: str, where: str) -> JsonObject:
    try:
        value = parse(line)
    except JsonError as error:
        raise RepositoryError(f"{where}: not JSON ({error}); write one object on each line") from error
    if not isinstance(value, dict):
        raise RepositoryError(f"{where}: {canonical(value)[:80]} is not an object; write one object on each line")
    return value


def _problem(item: Mapping[str, Any], model: type[_Line]) -> str:
    place = ".".join(map(str, item["loc"]))
    if item["type"] == "extra_forbidden":
        known = _Call.model_fields if "calls" in item["loc"][:-1] else model.model_fields
        return f"{place!r} is not a key{nearest(str(item['loc'][-1]), known)}"
    if item["type"] == "missing":
        return f"{place!r} is missing"
    return f"{place} is {item['input']!r:.80}: {item['msg']}"


def _key(call: Call) -> str:
    return f"{call.function}({canonical(call.arguments)})"
