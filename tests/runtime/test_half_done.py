"""A tool that fails after it has changed something says in its error what it did."""

from __future__ import annotations

from nucleate.tools import with_what_was_done
from nucleate_sandbox import Call, Effect, Failure, FunctionSpec, Outcome

FUNCTIONS = {
    "shop.find": FunctionSpec(name="shop.find", effect=Effect.READ),
    "shop.cancel": FunctionSpec(name="shop.cancel", effect=Effect.WRITE),
    "mail.send": FunctionSpec(name="mail.send", effect=Effect.WRITE),
}
NO_MAIL = Failure(kind="NoMail", message="the mail is down", from_environment=True)


def _calls(*names: str) -> tuple[Call, ...]:
    return tuple(Call(function=name, arguments={"id": "O-1"}) for name in names)


def test_the_writes_that_succeeded_stand_behind_the_error() -> None:
    failed = Call(function="mail.send", arguments={"id": "O-1"}, error=NO_MAIL)
    told = with_what_was_done(Outcome(failure=NO_MAIL, calls=(*_calls("shop.find", "shop.cancel"), failed)), FUNCTIONS)
    assert told.failure is not None
    assert told.failure.message == 'the mail is down; done before it failed: shop.cancel({"id":"O-1"})'
    assert (told.failure.kind, told.failure.from_environment) == ("NoMail", True)


def test_only_so_many_are_named() -> None:
    told = with_what_was_done(Outcome(failure=NO_MAIL, calls=_calls(*["shop.cancel"] * 7)), FUNCTIONS)
    assert told.failure is not None
    assert told.failure.message.count("shop.cancel") == 5
    assert told.failure.message.endswith(" and 2 more")


def test_where_nothing_was_changed_or_nothing_failed_the_outcome_is_as_it_was() -> None:
    for outcome in (Outcome(failure=NO_MAIL, calls=_calls("shop.find")), Outcome(value=1, calls=_calls("shop.cancel"))):
        assert with_what_was_done(outcome, FUNCTIONS) is outcome
