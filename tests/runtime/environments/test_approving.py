"""Destructive calls: nothing is done without a yes, and it is kept who said it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from nucleate.database import open_database
from nucleate.environments import ObjectEnvironment, effect
from nucleate.environments.approvals import ApprovalGuard, Approvals, Mode
from nucleate.environments.approving import ApprovalDecision, Approving
from nucleate_codifier import AdmissionPolicy
from nucleate_sandbox import Environment, FunctionError, FunctionSpec, JsonObject


class Records:
    """Rows that can be looked at and wiped."""

    def __init__(self) -> None:
        self.rows = [1, 2, 3]

    @effect("read")
    def count(self) -> int:
        """Count the rows."""
        return len(self.rows)

    @effect("destructive")
    def wipe(self, *, table: str) -> int:
        """Delete every row."""
        self.rows.clear()
        return 0


class Person:
    """Says yes to some tables, and remembers what it was asked."""

    by = "Ada, on call"

    def __init__(self, *tables: str) -> None:
        self.tables = tables
        self.asked: list[tuple[str, JsonObject]] = []

    def __call__(self, spec: FunctionSpec, arguments: JsonObject) -> bool:
        self.asked.append((spec.name, arguments))
        return arguments["table"] in self.tables


def records() -> ObjectEnvironment:
    return ObjectEnvironment("shop", {"records": Records()})


def refused(environment: Environment, table: str = "orders") -> str:
    with pytest.raises(FunctionError) as caught:
        environment.call("records.wipe", {"table": table})
    assert caught.value.kind == "NotApproved"
    assert environment.call("records.count", {}) == 3
    return caught.value.message


def test_a_destructive_call_is_made_after_a_yes_and_recorded_with_who_said_it() -> None:
    person, kept = Person("orders"), list[ApprovalDecision]()
    shop = Approving(records(), person, by=person.by, record=kept.append)
    assert refused(shop, "customers") == "records.wipe is destructive and was not approved"
    assert shop.call("records.wipe", {"table": "orders"}) == 0
    assert shop.call("records.count", {}) == 0
    assert person.asked == [("records.wipe", {"table": "customers"}), ("records.wipe", {"table": "orders"})]
    assert [(item.arguments["table"], item.allowed, item.by) for item in kept] == [
        ("customers", False, "Ada, on call"),
        ("orders", True, "Ada, on call"),
    ]


def test_only_true_is_a_yes_and_an_approval_that_breaks_is_a_no() -> None:
    def broken(_spec: FunctionSpec, _arguments: JsonObject) -> bool:
        raise TimeoutError("nobody answered")

    def vague(_spec: FunctionSpec, _arguments: JsonObject) -> bool:
        return "yes"  # type: ignore[return-value]

    assert refused(Approving(records(), broken)).endswith("was not approved (TimeoutError: nobody answered)")
    refused(Approving(records(), vague))


def test_a_decision_that_cannot_be_kept_lets_no_call_through() -> None:
    def full(_decision: ApprovalDecision) -> None:
        raise OSError("the disk is full")

    shop = Approving(records(), Person("orders"), record=full)
    with pytest.raises(OSError, match="the disk is full"):
        shop.call("records.wipe", {"table": "orders"})
    assert shop.call("records.count", {}) == 3


def test_an_approval_cannot_change_what_it_approves() -> None:
    def meddling(_spec: FunctionSpec, arguments: JsonObject) -> bool:
        arguments.clear()
        return True

    assert Approving(records(), meddling).call("records.wipe", {"table": "orders"}) == 0


def test_a_copy_asks_as_the_original_does() -> None:
    person = Person()
    refused(Approving(records(), person, by=person.by).fork().fork())
    assert len(person.asked) == 1


def test_a_function_that_is_allowed_by_name_needs_no_question() -> None:
    person, kept = Person(), list[ApprovalDecision]()
    shop = Approving(records(), person, allowed=["records.wipe"], record=kept.append)
    shop.call("records.wipe", {"table": "orders"})
    assert (person.asked, [item.by for item in kept]) == ([], ["the settings"])


@pytest.mark.parametrize(
    ("rule", "somebody", "allowed"),
    [
        (None, False, True),
        (None, True, False),
        ("ask", False, False),
        ("ask", True, False),
        ("never", True, False),
        ("never", False, False),
        ("allow", True, True),
    ],
)
def test_the_rule_says_what_happens(rule: Mode | None, somebody: bool, allowed: bool, tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "shop.db"), destructive=rule, worker="off")
    with Runtime(settings=settings, approve=Person() if somebody else None) as runtime:
        shop = runtime.attach(records())
        if allowed:
            assert shop.call("records.wipe", {"table": "orders"}) == 0
        else:
            refused(shop)


def test_what_the_settings_or_the_admission_policy_name_is_approved(tmp_path: Path) -> None:
    by_settings = Settings(
        database=str(tmp_path / "a.db"), destructive="never", destructive_allowed=("records.wipe",), worker="off"
    )
    with Runtime(settings=by_settings) as runtime:
        assert runtime.attach(records()).call("records.wipe", {"table": "orders"}) == 0
    by_policy = AdmissionPolicy(approved_destructive=frozenset({"records.wipe"}))
    with Runtime(
        settings=Settings(database=str(tmp_path / "b.db"), destructive="ask", worker="off"), policy=by_policy
    ) as runtime:
        assert runtime.attach(records()).call("records.wipe", {"table": "orders"}) == 0


def test_decisions_are_kept_in_the_database_without_secrets(tmp_path: Path) -> None:
    log = Approvals(open_database(str(tmp_path / "shop.db")))
    shop = ApprovalGuard("ask", Person("sk-proj-1234567890abcdefghij"), named=(), log=log).over(records())
    shop.call("records.wipe", {"table": "sk-proj-1234567890abcdefghij"})
    (kept,) = log.all()
    assert (kept.environment, kept.function, kept.allowed, kept.by) == ("shop", "records.wipe", True, "Ada, on call")
    assert kept.arguments == '{"table":"[redacted:api_key]"}'
