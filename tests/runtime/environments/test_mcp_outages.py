"""MCP servers that die, hang, babble and flood: outages are no errors of a function, and the next call connects again."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from nucleate.environments import McpEnvironment, McpServer
from nucleate_sandbox import EnvironmentUnavailable, FunctionError
from tests.runtime.environments.servers import connect, raw_server


def test_a_server_that_dies_in_a_call_is_an_outage_and_the_next_call_starts_it_again(tmp_path: Path) -> None:
    with connect(starts=tmp_path / "starts") as raw:
        with pytest.raises(EnvironmentUnavailable) as caught:
            raw.call("raw.die", {})
        assert str(caught.value).endswith(
            "does not answer: Connection closed; it ended with status 3; it said 'out of paper'"
        )
        assert "raw.reborn" not in raw.functions  # nobody has asked the server since
        assert raw.call("raw.look", {}) == "2"
        assert raw.functions["raw.reborn"].doc == "Does reborn."


def test_a_call_that_only_reads_is_made_again_once(tmp_path: Path) -> None:
    with connect(starts=tmp_path / "starts") as raw:
        with pytest.raises(EnvironmentUnavailable):
            raw.call("raw.die_reading", {})
        assert raw.call("raw.look", {}) == "3"  # started, started again for the second try, and for this call


@pytest.mark.slow
def test_a_call_that_hangs_ends_with_a_timeout_and_the_server_goes_on() -> None:
    with connect(seconds=1.0) as raw, pytest.raises(FunctionError) as caught:
        raw.call("raw.hang", {})
    assert caught.value.kind == "Timeout"
    assert caught.value.message.endswith("whether it had an effect is unknown")


def test_junk_on_the_output_of_a_server_is_passed_over() -> None:
    with connect("junk") as raw:
        assert raw.call("raw.echo", {"text": "clear"}) == "clear"


def test_an_endless_answer_is_an_error_of_its_call_alone() -> None:
    with connect() as raw:
        with pytest.raises(FunctionError) as caught:
            raw.call("raw.flood", {})
        assert caught.value.kind == "ResultTooLarge"
        assert re.fullmatch(r"raw.flood: the answer has 524288\d\d bytes; the limit is 8388608", caught.value.message)
        assert raw.call("raw.echo", {"text": "after"}) == "after"


def test_a_server_that_says_that_its_tools_changed_is_asked_again() -> None:
    with connect() as raw:
        assert "raw.grown" not in raw.functions
        raw.call("raw.grow", {})
        assert raw.functions["raw.grown"].doc == "Does grown."


def test_a_server_that_does_not_start_says_why() -> None:
    with pytest.raises(EnvironmentUnavailable) as caught:
        McpEnvironment("raw", raw_server("ends"))
    assert "it ended with status 7; it said 'cannot open the till: key sk-live-1234567890 refused'" in str(caught.value)


@pytest.mark.parametrize(
    "server",
    [McpServer(command=("no-such-program-here",)), McpServer(url="http://127.0.0.1:9/mcp")],
    ids=["command", "address"],
)
def test_a_server_that_is_not_there_is_an_outage(server: McpServer) -> None:
    with pytest.raises(EnvironmentUnavailable, match="does not answer"):
        McpEnvironment("far", server)


def test_a_program_that_is_no_server_is_an_outage() -> None:
    with pytest.raises(EnvironmentUnavailable):
        McpEnvironment("far", McpServer(command=(sys.executable, "-c", "print('hello')")))


def test_a_closed_environment_answers_nothing_more() -> None:
    raw = connect()
    raw.close()
    raw.close()
    with pytest.raises(EnvironmentUnavailable, match="environment 'raw' is closed; open it again"):
        raw.call("raw.look", {})
