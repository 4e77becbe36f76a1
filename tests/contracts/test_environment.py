"""Programs and their environment: allowed, checked, logged, timed; the same on every sandbox."""

from __future__ import annotations

import threading

import pytest

from nucleate_sandbox import Call, Failure, Json, Limit, Limits, Outcome, Sandbox
from tests.contracts.sandbox_world import ENOUGH, PATIENCE, World, call, functions, module, shown


@pytest.mark.parametrize(
    "value", [None, True, -3, 2**100, 0.5, "采购 👩‍🚀", [1, [2, {}]], {"a": {"b": [None]}}], ids=repr
)
def test_values_cross_the_bridge_unchanged_both_ways(sandbox: Sandbox, value: Json) -> None:
    outcome = call(sandbox, "def tool(x):\n    return env.shop.echo(value=x)", allowed=functions(), x=value)
    log = (Call(function="shop.echo", arguments={"value": value}, result=value),)
    assert outcome == Outcome(value=value, calls=log)


def test_the_log_holds_every_call_in_order_with_arguments_result_and_error(sandbox: Sandbox) -> None:
    source = """
    def tool():
        for item in ("a", "b"):
            env.shop.add(value=item)
        try:
            env.shop.order(value=7)
        except FunctionError:
            pass
        return env.other.ping()
    """
    error = Failure(kind="OrderNotFound", message="no order 7", from_environment=True)
    assert call(sandbox, source, allowed=functions()) == Outcome(
        value="pong",
        calls=(
            Call(function="shop.add", arguments={"value": "a"}, result=1),
            Call(function="shop.add", arguments={"value": "b"}, result=2),
            Call(function="shop.order", arguments={"value": 7}, error=error),
            Call(function="other.ping", arguments={}, result="pong"),
        ),
    )


def test_a_function_kept_in_a_variable_is_still_that_function(sandbox: Sandbox) -> None:
    source = "def tool():\n    ping = env.other.ping\n    shop = env.shop\n    return [ping(), shop.echo(value=1)]"
    assert call(sandbox, source, allowed=functions()).value == ["pong", 1]


def test_an_uncaught_environment_error_keeps_the_environments_kind(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    env.shop.order(value=3)", allowed=functions())
    assert outcome.failure == Failure(kind="OrderNotFound", message="no order 3", from_environment=True)
    assert 'File "tool.py", line 2, in tool' in outcome.failure.traceback


@pytest.mark.parametrize("handler", ["FunctionError", "Exception", "(ValueError, FunctionError)"])
def test_an_environment_error_can_be_caught(sandbox: Sandbox, handler: str) -> None:
    source = (
        "def tool():\n    try:\n        env.shop.order(value=3)\n"
        f"    except {handler} as error:\n        return str(error)"
    )
    assert call(sandbox, source, allowed=functions()).value == "no order 3"


def test_a_caught_environment_error_tells_kind_and_message(sandbox: Sandbox) -> None:
    source = """
    def tool():
        try:
            env.shop.order(value=3)
        except FunctionError as error:
            if error.kind == "OrderNotFound":
                return [error.kind, error.message]
            raise
    """
    outcome = call(sandbox, source, allowed=functions())
    if sandbox.name == "monty":  # it has no exception class that carries attributes
        assert outcome.failure is not None
        assert outcome.failure.unsupported
        return
    assert outcome.value == ["OrderNotFound", "no order 3"]


def test_an_environment_error_is_no_value_error(sandbox: Sandbox) -> None:
    source = (
        "def tool():\n    try:\n        env.shop.order(value=3)\n"
        "    except (ValueError, LookupError, TypeError, RuntimeError, OSError):\n        return 'caught'"
    )
    assert shown(call(sandbox, source, allowed=functions())) == ("OrderNotFound", "no order 3")


def test_a_program_can_raise_a_function_error_of_its_own(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    raise FunctionError('mine')", allowed=functions())
    assert outcome.failure == Failure(kind="FunctionError", message="mine")


def test_a_bug_of_the_environment_is_an_error_of_that_call(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    env.shop.crash()", allowed=functions())
    message = "integer division or modulo by zero"
    assert outcome.failure == Failure(kind="ZeroDivisionError", message=message, from_environment=True)


REFUSED: dict[str, tuple[str, str, str]] = {
    "a function outside the manifest": ("shop.secret()", "NotAllowed", "'shop.secret'"),
    "an unknown function": ("shop.serch(category='a')", "UnknownFunction", "'shop.search'"),
    "an unknown namespace": ("bank.pay()", "UnknownFunction", "'bank.pay'"),
    "a function without a namespace": ("ping()", "UnknownFunction", "'ping'"),
    "a missing argument": ("shop.search(limit=1)", "InvalidArguments", "'category' is missing"),
    "an unknown argument": ("shop.search(category='a', limt=1)", "InvalidArguments", "did you mean 'limit'?"),
    "a wrong type": ("shop.search(category=3)", "InvalidArguments", "category: 3 is not of type 'string'"),
    "a value out of range": ("shop.search(category='a', limit=0)", "InvalidArguments", "limit: 0 is less than"),
    "a wrong item": ("shop.search(category='a', tags=['x', 1])", "InvalidArguments", "tags[1]: 1 is not of type"),
    "a result that is no JSON": ("shop.unfit()", "BadResult", "not acceptable JSON"),
}


@pytest.mark.parametrize(("expression", "kind", "part"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refused_call_is_logged_and_says_why(sandbox: Sandbox, expression: str, kind: str, part: str) -> None:
    outcome = call(sandbox, f"def tool():\n    return env.{expression}", allowed=functions())
    assert shown(outcome)[0] == kind
    assert part in shown(outcome)[1]
    assert [item.error for item in outcome.calls] == [outcome.failure]


def test_a_refused_call_can_be_caught_and_the_program_goes_on(sandbox: Sandbox) -> None:
    source = """
    def tool():
        try:
            env.shop.secret()
        except FunctionError:
            return env.other.ping()
    """
    assert call(sandbox, source, allowed=functions()).value == "pong"


def test_without_functions_there_is_nothing_to_call(sandbox: Sandbox) -> None:
    assert shown(call(sandbox, "def tool():\n    return env.shop.search(category='a')"))[0] == "UnknownFunction"


def test_positional_arguments_are_refused_with_the_right_form(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    return env.shop.echo(1)", allowed=functions())
    message = "env.shop.echo takes keyword arguments only, as in env.shop.echo(name=value)"
    assert (shown(outcome), outcome.calls) == (("TypeError", message), ())


def test_dependencies_reach_the_environment_too(sandbox: Sandbox) -> None:
    ping = module("def ping():\n    return env.other.ping()", name="ping")
    with sandbox.open(functions=functions(), limits=ENOUGH) as session:
        outcome = session.call(module("def tool():\n    return [ping(), ping()]", ping), "tool", {})
    assert (outcome.value, len(outcome.calls)) == (["pong", "pong"], 2)


def test_runs_reach_the_environment_and_each_has_a_log_of_its_own(sandbox: Sandbox) -> None:
    with sandbox.open(functions=functions(), limits=ENOUGH) as session:
        first = session.run("first = env.shop.add(value='a')\necho = env.shop.echo")
        second = session.run("[first, env.shop.add(value='b'), echo(value=9)]")
    assert [item.function for item in first.calls] == ["shop.add"]
    assert (second.value, [item.function for item in second.calls]) == ([1, 2, 9], ["shop.add", "shop.echo"])


def test_too_many_calls_end_the_program_at_the_limit(sandbox: Sandbox) -> None:
    source = "def tool():\n    for i in range(100):\n        env.other.ping()\n    return 'done'"
    outcome = call(sandbox, source, allowed=functions(), limits=Limits(bridge_calls=5))
    assert (outcome.value, outcome.limit, len(outcome.calls)) == (None, Limit.CALLS, 5)


def test_too_many_calls_end_a_program_that_catches_everything(sandbox: Sandbox) -> None:
    source = """
    def tool():
        for i in range(100):
            try:
                env.other.ping()
            except BaseException:
                pass
        return 'done'
    """
    outcome = call(sandbox, source, allowed=functions(), limits=Limits(bridge_calls=5))
    assert (outcome.value, outcome.limit, len(outcome.calls)) == (None, Limit.CALLS, 5)


def test_a_slow_function_times_out_and_the_program_goes_on(sandbox: Sandbox) -> None:
    world = World()
    source = """
    def tool():
        try:
            env.shop.wait()
        except FunctionError as error:
            return [str(error), env.other.ping()]
    """
    outcome = call(sandbox, source, allowed=functions(world), limits=Limits(bridge_seconds=0.1))
    world.released.set()
    message = "shop.wait took longer than 0.1 s; whether it had an effect is unknown"
    assert outcome.value == [message, "pong"]
    assert [item.error.kind for item in outcome.calls if item.error] == ["Timeout"]


def test_two_sessions_run_at_once(sandbox: Sandbox) -> None:
    allowed = functions(World())
    values: list[Json] = []

    def work() -> None:
        values.append(call(sandbox, "def tool():\n    return env.shop.meet()", allowed=allowed, limits=Limits()).value)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert values == [True, True]


def test_one_slow_environment_call_does_not_hold_up_another_session(sandbox: Sandbox) -> None:
    world = World()
    slow = threading.Thread(
        target=call,
        args=(sandbox, "def tool():\n    return env.shop.wait()"),
        kwargs={"allowed": functions(world), "limits": Limits()},
    )
    slow.start()
    assert world.reached.wait(PATIENCE)
    assert call(sandbox, "def tool():\n    return env.other.ping()", allowed=functions(world)).value == "pong"
    world.released.set()
    slow.join(PATIENCE)
    assert not slow.is_alive()


@pytest.mark.parametrize("value", ["x = []\n    x.append(x)", "x = {}\n    x['x'] = x"])
def test_an_argument_that_holds_itself_never_reaches_the_environment(sandbox: Sandbox, value: str) -> None:
    outcome = call(sandbox, f"def tool():\n    {value}\n    return env.shop.echo(value=x)", allowed=functions())
    assert (shown(outcome)[0], outcome.value, outcome.calls) == ("ValueError", None, ())


def test_an_environment_call_is_not_waited_for_beyond_the_wall_clock(sandbox: Sandbox) -> None:
    world = World()
    outcome = call(
        sandbox, "def tool():\n    return env.shop.wait()", allowed=functions(world), limits=Limits(wall_seconds=1.0)
    )
    world.released.set()
    assert outcome.limit is Limit.WALL
    assert [item.error.kind for item in outcome.calls if item.error] == ["Timeout"]
