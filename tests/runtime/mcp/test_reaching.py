"""Where another server is, as people write it."""

from __future__ import annotations

import pytest

from nucleate.environments import McpServer
from nucleate.errors import InputInvalid
from nucleate.mcp import ServerPlace, read_place, read_places


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        ("desk=python desk.py --fast", "desk", ("python", "desk.py", "--fast")),
        ("npx -y help-desk-server", "help_desk_server", ("npx", "-y", "help-desk-server")),
        ("uvx --from 'my package' notes", "my_package", ("uvx", "--from", "my package", "notes")),
        ("/opt/tools/7notes.sh", "server_7notes", ("/opt/tools/7notes.sh",)),
        ("python3.11 -m mail_server", "mail_server", ("python3.11", "-m", "mail_server")),
    ],
    ids=["named", "npx", "uvx", "path", "module"],
)
def test_a_command_is_split_as_a_shell_does_and_named_after_the_server(
    text: str, name: str, command: tuple[str, ...]
) -> None:
    assert read_place(text) == ServerPlace(name=name, server=McpServer(command=command))


def test_an_address_is_named_after_its_host() -> None:
    assert read_place("https://mail.example.org/mcp") == ServerPlace(
        name="mail_example_org", server=McpServer(url="https://mail.example.org/mcp")
    )
    assert read_place("mail=https://mail.example.org/mcp").name == "mail"


@pytest.mark.parametrize(
    ("text", "said"), [("", "names no server"), ("desk='open", "cannot be read: No closing quotation")]
)
def test_what_is_no_server_is_named(text: str, said: str) -> None:
    with pytest.raises(InputInvalid, match=said):
        read_place(text)


def test_two_servers_of_one_name_are_an_error() -> None:
    with pytest.raises(InputInvalid, match="two servers are named 'desk'; put another name before one"):
        read_places(["desk=one", "desk=two"])
