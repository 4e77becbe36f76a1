"""What the runtime sees when the functions of an environment become other ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from nucleate.database import open_database
from nucleate.environments.function_changes import Drift
from nucleate.environments.scopes import Scopes
from nucleate_sandbox import Effect, FunctionSpec, Json, RecordedEnvironment

GET = FunctionSpec(
    name="shop.get",
    doc="Get an order.",
    parameters={"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]},
    returns={"type": "object"},
    effect=Effect.READ,
)
SEND = FunctionSpec(name="shop.send")
OTHER_GET = replace(GET, parameters={"type": "object", "properties": {"order": {"type": "string"}}})


class Live:
    """The same, alive."""

    def __init__(self, *functions: FunctionSpec) -> None:
        self._recorded = RecordedEnvironment("shop", {item.name: item for item in functions}, [])
        self.name = "shop"
        self.call = self._recorded.call
        self.fork = self._recorded.fork

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._recorded.functions


def scopes(folder: Path) -> Scopes:
    return Scopes(open_database(str(folder / "shop.db")))


def test_what_is_seen_for_the_first_time_is_no_drift(tmp_path: Path) -> None:
    assert scopes(tmp_path).attach(Live(GET)) == Drift(environment="shop")


def test_functions_that_are_new_gone_or_another_are_told_apart(tmp_path: Path) -> None:
    known = scopes(tmp_path)
    known.attach(Live(GET, SEND))
    drift = known.attach(Live(OTHER_GET, replace(SEND, name="shop.post")))
    assert (drift.added, drift.removed, drift.changed) == (("shop.post",), ("shop.send",), ("shop.get",))
    assert drift.reasons["shop.send"] == "shop.send is gone"
    assert "takes another 'order'" in drift.reasons["shop.get"]
    assert list(known.view("shop").functions) == ["shop.get", "shop.post"]


def test_other_words_are_no_drift(tmp_path: Path) -> None:
    known = scopes(tmp_path)
    known.attach(Live(GET))
    assert not known.attach(Live(replace(GET, doc="Look an order up.")))
    assert known.view("shop").functions["shop.get"].doc == "Look an order up."


def test_another_effect_is_drift(tmp_path: Path) -> None:
    known = scopes(tmp_path)
    known.attach(Live(GET))
    drift = known.attach(Live(replace(GET, effect=Effect.WRITE)))
    assert drift.touched == ("shop.get",)


def test_a_recording_does_not_take_functions_away(tmp_path: Path) -> None:
    known = scopes(tmp_path)
    known.attach(Live(GET, SEND))
    assert not known.attach(RecordedEnvironment("shop", {"shop.get": GET}, []))
    assert list(known.view("shop").functions) == ["shop.get", "shop.send"]


def test_parameters_keep_their_order(tmp_path: Path) -> None:
    properties: dict[str, Json] = {"zone": {"type": "string"}, "area": {"type": "string"}}
    known = scopes(tmp_path)
    known.attach(Live(replace(GET, parameters={"type": "object", "properties": properties})))
    stored = known.view("shop").functions["shop.get"].parameters["properties"]
    assert isinstance(stored, dict)
    assert list(stored) == ["zone", "area"]
