"""An environment that knows only what was recorded."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Call, Effect, Failure, FunctionError, FunctionSpec, NoRecord, RecordedEnvironment

READ = FunctionSpec(name="shop.stock", effect=Effect.READ)
WRITE = FunctionSpec(name="shop.take", effect=Effect.WRITE)
CALLS = (
    Call(function="shop.stock", arguments={"id": 1, "x": "a"}, result=3),
    Call(function="shop.take", arguments={"id": 1}, result="taken"),
    Call(function="shop.stock", arguments={"id": 1, "x": "a"}, result=2),
    Call(function="shop.take", arguments={"id": 1}, error=Failure(kind="SoldOut", message="none left")),
)


def recorded() -> RecordedEnvironment:
    return RecordedEnvironment("shop", {spec.name: spec for spec in (READ, WRITE)}, CALLS)


def test_equal_calls_are_answered_in_the_order_of_the_recording() -> None:
    shop = recorded()
    assert [shop.call("shop.stock", {"x": "a", "id": 1}) for _ in range(2)] == [3, 2]


def test_the_last_answer_of_a_read_is_repeated() -> None:
    shop = recorded()
    assert [shop.call("shop.stock", {"id": 1, "x": "a"}) for _ in range(4)] == [3, 2, 2, 2]


def test_a_recorded_error_is_raised_again_with_its_kind() -> None:
    shop = recorded()
    assert shop.call("shop.take", {"id": 1}) == "taken"
    with pytest.raises(FunctionError, match="none left") as caught:
        shop.call("shop.take", {"id": 1})
    assert caught.value.kind == "SoldOut"


def test_a_write_is_answered_as_often_as_it_was_recorded() -> None:
    shop = recorded()
    shop.call("shop.take", {"id": 1})
    with pytest.raises(FunctionError):
        shop.call("shop.take", {"id": 1})
    with pytest.raises(NoRecord, match=r'^no record of shop.take\(\{"id":1\}\)$'):
        shop.call("shop.take", {"id": 1})


@pytest.mark.parametrize("arguments", [{"id": 2}, {}, {"id": "1"}, {"id": 1, "x": None}], ids=repr)
def test_other_arguments_have_no_record(arguments: dict[str, int | str | None]) -> None:
    with pytest.raises(NoRecord) as caught:
        recorded().call("shop.take", dict(arguments))
    assert caught.value.kind == "NoRecord"


def test_a_fork_starts_at_the_beginning_and_changes_nothing_here() -> None:
    shop = recorded()
    shop.call("shop.take", {"id": 1})
    fork = shop.fork()
    assert (fork.name, fork.functions, fork.call("shop.take", {"id": 1})) == ("shop", shop.functions, "taken")
    with pytest.raises(FunctionError, match="none left"):
        shop.call("shop.take", {"id": 1})
