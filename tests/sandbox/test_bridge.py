"""The host's side of an environment call, without a sandbox around it."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from nucleate_sandbox import Call, Failure, FunctionError, Functions, FunctionSpec, Json, JsonError, JsonObject, Limits
from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.copies import HELD, MAX_HELD, Held

OPEN: JsonObject = {"type": "object", "additionalProperties": True}
TENANT: contextvars.ContextVar[str] = contextvars.ContextVar("TENANT", default="nobody")


class Desk:
    """One function per answer, of one given schema."""

    def __init__(self, schema: JsonObject = OPEN, result: object = "done", error: BaseException | None = None) -> None:
        self.schema = schema
        self.result = result
        self.error = error
        self.heard: list[JsonObject] = []
        self.released = threading.Event()

    @property
    def name(self) -> str:
        return "desk"

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return {
            name: FunctionSpec(name=name, parameters=self.schema) for name in ("desk.ask", "desk.burn", "desk.wait")
        }

    def call(self, name: str, arguments: JsonObject) -> Json:
        if name == "desk.wait":
            self.released.wait(30)
        self.heard.append(arguments)
        if self.error is not None:
            raise self.error
        return TENANT.get() if self.result is TENANT else self.result  # type: ignore[return-value]

    def fork(self) -> Desk:
        return self


def bridge(desk: Desk, **limits: float) -> Bridge:
    return Bridge(Functions.only(desk, ["desk.ask", "desk.wait"]), Limits(**limits))  # type: ignore[arg-type]


def ask(schema: JsonObject, arguments: JsonObject) -> str | None:
    """Return why the arguments were refused."""
    error = bridge(Desk(schema)).call("desk.ask", arguments).error
    assert error is None or error.kind == "InvalidArguments"
    return error.message if error else None


def test_a_call_returns_what_was_asked_and_answered_and_is_in_the_log() -> None:
    desk = Desk(result={"a": [1, None]})
    link = bridge(desk)
    call = link.call("desk.ask", {"x": 1})
    assert call == Call(function="desk.ask", arguments={"x": 1}, result={"a": [1, None]})
    assert link.calls == (call,)
    assert (desk.heard, link.exhausted) == ([{"x": 1}], False)


def test_the_log_shares_nothing_with_the_environment_or_the_caller() -> None:
    result: list[Json] = [1]
    desk, given = Desk(result=result), {"x": [1]}
    link = bridge(desk)
    link.call("desk.ask", given)  # type: ignore[arg-type]
    result.append(2)
    given["x"].append(2)
    desk.heard[0]["x"] = "changed"
    assert link.calls == (Call(function="desk.ask", arguments={"x": [1]}, result=[1]),)


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        (
            "desk.burn",
            Failure(kind="NotAllowed", message="'desk.burn' is not in the manifest: desk.ask, desk.wait"),
        ),
        (
            "desk.aks",
            Failure(
                kind="UnknownFunction",
                message="no environment function named 'desk.aks'; did you mean 'desk.ask' or 'desk.wait'?",
            ),
        ),
        (
            "zzz",
            Failure(
                kind="UnknownFunction",
                message="no environment function named 'zzz'; the manifest: desk.ask, desk.wait",
            ),
        ),
    ],
)
def test_a_name_that_may_not_be_called_is_refused_and_never_reaches_the_environment(
    name: str, failure: Failure
) -> None:
    desk = Desk()
    assert bridge(desk).call(name, {}).error == failure
    assert desk.heard == []


OBJECT: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"city": "Oslo"}, None),
        ({"city": "Oslo", "days": 2}, None),
        ({}, "desk.ask: 'city' is missing"),
        ({"city": 3}, "desk.ask: city: 3 is not of type 'string'"),
        ({"city": "Oslo", "day": 1}, "desk.ask: 'day' is not an argument; did you mean 'days'?"),
        ({"city": "Oslo", "zz": 1}, "desk.ask: 'zz' is not an argument; it takes 'city', 'days'"),
    ],
    ids=repr,
)
def test_arguments_are_held_against_the_schema(arguments: JsonObject, message: str | None) -> None:
    assert ask(OBJECT, arguments) == message


def test_every_fault_of_the_arguments_is_named_at_once() -> None:
    message = ask(OBJECT, {"days": "x", "zz": 1})
    assert message is not None
    assert all(part in message for part in ("'city' is missing", "'zz' is not an argument", "days: 'x' is not of type"))


def test_a_function_without_arguments_says_so() -> None:
    assert ask({"type": "object", "properties": {}}, {"a": 1}) == "desk.ask: 'a' is not an argument; it takes none"


def test_unknown_arguments_pass_only_where_the_schema_invites_them() -> None:
    assert ask(OPEN, {"anything": 1}) is None
    assert ask({"type": "object"}, {"anything": 1}) is not None
    assert ask({"allOf": [{"properties": {"a": {}}}]}, {"a": 1}) is None


def test_a_long_value_does_not_fill_the_message() -> None:
    message = ask(OBJECT, {"city": ["x" * 10_000]})
    assert message is not None
    assert len(message) < 300


@pytest.mark.parametrize(
    "schema", [{"type": "no such type"}, {"$ref": "https://schemas.invalid/x.json"}], ids=["invalid", "remote"]
)
def test_a_fault_in_a_schema_costs_a_keyword_and_nothing_is_fetched(schema: JsonObject) -> None:
    assert bridge(Desk(schema)).call("desk.ask", {}).result == "done"


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (
            FunctionError("none left", kind="SoldOut"),
            Failure(kind="SoldOut", message="none left", from_environment=True),
        ),
        (ValueError("odd"), Failure(kind="ValueError", message="odd", from_environment=True)),
        (SystemExit(3), Failure(kind="SystemExit", message="3", from_environment=True)),
        (KeyboardInterrupt(), Failure(kind="KeyboardInterrupt", message="", from_environment=True)),
    ],
    ids=repr,
)
def test_whatever_the_environment_raises_is_the_error_of_that_call(error: BaseException, failure: Failure) -> None:
    link = bridge(Desk(error=error))
    assert link.call("desk.ask", {}).error == failure
    assert [call.error for call in link.calls] == [failure]


@pytest.mark.parametrize(
    "result", [float("nan"), float("inf"), (1, 2), {1: 2}, {"a": {1}}, b"x", print, "\ud800"], ids=ascii
)
def test_a_result_that_is_no_strict_json_is_refused(result: object) -> None:
    error = bridge(Desk(result=result)).call("desk.ask", {}).error
    assert error is not None
    assert (error.kind, error.message.startswith("desk.ask: the result is not acceptable JSON: ")) == (
        "BadResult",
        True,
    )


def test_a_result_over_the_limit_is_refused_and_one_at_the_limit_passes() -> None:
    assert bridge(Desk(result="é" * 4), result_bytes=10).call("desk.ask", {}).result == "é" * 4
    error = bridge(Desk(result="é" * 5), result_bytes=10).call("desk.ask", {}).error
    assert error == Failure(
        kind="BadResult",
        message="desk.ask: the result is not acceptable JSON: 12 bytes of JSON; the limit is 10",
    )


@pytest.mark.parametrize("arguments", [{"a": float("nan")}, {"a": (1,)}, {"a": "\udc80"}, {"a": "x" * 100}], ids=ascii)
def test_arguments_that_are_no_strict_json_never_reach_the_environment(arguments: JsonObject) -> None:
    desk = Desk()
    error = bridge(desk, result_bytes=50).call("desk.ask", arguments).error
    assert error is not None
    assert (error.kind, desk.heard) == ("InvalidArguments", [])


@pytest.mark.parametrize("length", [200, 201, 1_000_000])
def test_a_long_name_is_cut_in_the_log_and_in_every_message(length: int) -> None:
    called = bridge(Desk()).call("n" * length, {})
    name = "n" * 200 + ("…" if length > 200 else "")
    assert called.error is not None
    assert (called.function, called.error.kind) == (name, "UnknownFunction")
    assert called.error.message == f"no environment function named {name!r}; the manifest: desk.ask, desk.wait"


def test_the_call_after_the_last_one_is_refused_and_marks_the_bridge_as_exhausted() -> None:
    desk = Desk()
    link = bridge(desk, bridge_calls=2)
    assert [link.call("desk.ask", {}).error, link.call("desk.burn", {}).error is None] == [None, False]
    assert not link.exhausted
    error = link.call("desk.ask", {}).error
    assert error is not None
    assert (error.kind, link.exhausted, len(link.calls), len(desk.heard)) == ("LimitExceeded", True, 2, 1)


def test_a_slow_call_times_out_and_the_next_one_works() -> None:
    desk = Desk()
    link = bridge(desk, bridge_seconds=0.05)
    error = link.call("desk.wait", {}).error
    desk.released.set()
    message = "desk.wait took longer than 0.05 s; whether it had an effect is unknown"
    assert error == Failure(kind="Timeout", message=message)
    assert link.call("desk.ask", {}).result == "done"


def test_calls_from_many_threads_are_all_counted_and_logged() -> None:
    link = bridge(Desk(), bridge_calls=50)
    with ThreadPoolExecutor(8) as threads:
        calls = list(threads.map(lambda number: link.call("desk.ask", {"n": number}), range(60)))
    assert sum(call.error is None for call in calls) == len(link.calls) == 50
    assert sorted(str(call.arguments["n"]) for call in link.calls) == sorted(
        str(call.arguments["n"]) for call in calls if call.error is None
    )


def test_the_environment_sees_the_callers_context() -> None:
    TENANT.set("acme")
    assert bridge(Desk(result=TENANT)).call("desk.ask", {}).result == "acme"


class Unprintable(Exception):
    """An error whose text cannot be made."""

    def __str__(self) -> str:
        raise ValueError("no text")


class Untold(FunctionError):
    """An error whose parts are no texts."""

    def __init__(self) -> None:
        super().__init__("", kind="x")
        self.kind, self.message = 404, {"code": 404}  # type: ignore[assignment]


class Unequal(dict[str, Json]):
    """A result that cannot be compared."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (Unprintable(), "Unprintable", "an error that cannot be printed (ValueError)"),
        (Untold(), "Untold", "{'code': 404}"),
    ],
)
def test_an_error_that_is_no_text_is_the_error_of_that_call(error: BaseException, kind: str, message: str) -> None:
    failure = Failure(kind=kind, message=message, from_environment=True)
    assert bridge(Desk(error=error)).call("desk.ask", {}).error == failure


def test_a_result_that_cannot_be_compared_is_refused() -> None:
    error = bridge(Desk(result=Unequal(a=1))).call("desk.ask", {}).error
    assert error is not None
    assert (error.kind, "ValueError: ambiguous" in error.message) == ("BadResult", True)


def test_a_result_of_very_many_parts_is_refused_before_they_are_made() -> None:
    many: list[Json] = [[] for _ in range(300_000)]
    message = "desk.ask: the result is not acceptable JSON: 1500004 parts (each list and object counts as 4); the limit is 1000000"
    assert bridge(Desk(result=many)).call("desk.ask", {}).error == Failure(kind="BadResult", message=message)
    assert bridge(Desk(result=",[" * 400_000)).call("desk.ask", {}).error is None


def test_the_values_of_all_calls_that_run_are_bounded_together_and_given_back() -> None:
    held, before = Held(), HELD.parts
    held.take(MAX_HELD)
    with pytest.raises(JsonError, match="hold 6000000 parts already; the limit is 6000000"):
        held.take(1)
    held.give([MAX_HELD])
    held.take(1)
    link = bridge(Desk(result=[1, 2]))
    link.call("desk.ask", {})
    assert (held.parts, HELD.parts - before) == (1, 11)
    del link
    assert HELD.parts == before


def test_the_order_of_keys_is_the_environments_own() -> None:
    call = bridge(Desk(result={"zebra": 1, "ant": {"b": 1, "a": 2}})).call("desk.ask", {"z": 1, "a": 2})
    assert (list(call.result), list(call.arguments)) == (["zebra", "ant"], ["z", "a"])  # type: ignore[arg-type]
    assert call.result == {"zebra": 1, "ant": {"b": 1, "a": 2}}
    assert list(call.result["ant"]) == ["b", "a"]  # type: ignore[arg-type]


def test_a_keyword_that_was_not_checked_is_told_with_the_call() -> None:
    call = bridge(Desk({"properties": {"x": {"$ref": "#/nowhere"}}})).call("desk.ask", {"x": 1})
    assert (call.result, len(call.unchecked)) == ("done", 1)
