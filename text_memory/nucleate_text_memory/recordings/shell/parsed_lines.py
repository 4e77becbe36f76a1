"""A line of a shell as the commands that it runs, in order, read from the syntax tree of bash."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_LONGEST = 6_000  # characters; a longer script is one step
_MOST = 400  # commands, and what joins them
_DEPTH = 40
_ASSIGNS = frozenset({"export", "declare", "typeset", "readonly", "local"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_INNER = frozenset({"-c", "-lc", "-ec", "-euc", "-exc", "-xc", "-ic", "-lic"})


@dataclass(frozen=True, kw_only=True)
class ShellCommand:
    """One command of a line: its words without quotes, where and with which variables it runs, what is redirected.

    `joined` says how it hangs on the command before: `&&`, `||`, `|`, `;`, or nothing for the first. `text` is the
    command as it was written.
    """

    words: tuple[str, ...]
    text: str
    directory: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    redirects: tuple[str, ...] = ()
    joined: str = ""


class NotPlain(Exception):
    """A line is more than commands in a row: a loop, a condition, a function, or no shell at all."""


def commands_in(line: str) -> list[ShellCommand]:
    """Return the commands of a line in order; NotPlain where it is a program of its own.

    `cd` before a command, `export` and assignments are said with the commands that they hold for, `exit` is the end of
    them; `bash -lc '…'` is read as what it runs.
    """
    if len(line) > _LONGEST or not line.strip():
        raise NotPlain
    root = _parser().parse(line.encode("utf-8", "replace")).root_node
    if root.has_error:
        raise NotPlain
    return [*_placed(_unwrapped(command, _DEPTH) for command in _commands(root, "", _DEPTH))]


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def _commands(node: Node, joined: str, depth: int) -> Iterator[ShellCommand]:
    if depth == 0:
        raise NotPlain
    if node.type in {"program", "list", "pipeline"}:
        yield from _in_row(node, joined, depth)
    elif node.type == "redirected_statement":
        yield from _redirected(node, joined, depth)
    elif node.type == "command":
        yield _command(node, joined)
    elif node.type in {"declaration_command", "variable_assignment"}:
        yield ShellCommand(words=("export", *_declared(node)), text=_text(node), joined=joined)
    elif node.type == "subshell" and len(node.named_children) == 1:
        yield from _commands(node.named_children[0], joined, depth - 1)
    elif node.type not in {"comment", "heredoc_body"}:
        raise NotPlain


def _in_row(node: Node, joined: str, depth: int) -> Iterator[ShellCommand]:
    how = joined
    if node.child_count > _MOST:
        raise NotPlain
    for child in node.children:
        if not child.is_named:
            how = {"|&": "|", "&": ";", "\n": ";", ";;": ";"}.get(child.type, child.type)
        else:
            yield from _commands(child, how, depth - 1)
            how = ";"


def _redirected(node: Node, joined: str, depth: int) -> Iterator[ShellCommand]:
    body, *redirects = node.named_children
    found = [*_commands(body, joined, depth - 1)]
    if not found:
        raise NotPlain
    yield from found[:-1]
    yield replace(found[-1], redirects=(*found[-1].redirects, *map(_text, redirects)), text=_text(node)[-2000:])


def _command(node: Node, joined: str) -> ShellCommand:
    words, variables, redirects = list[str](), dict[str, str](), list[str]()
    for child in node.named_children:
        if child.type == "variable_assignment":
            name, _, value = _text(child).partition("=")
            variables[name] = _bare(value)
        elif child.type.endswith("redirect"):
            redirects.append(_text(child))
        else:
            words.append(_word(child))
    if not words:
        raise NotPlain
    return ShellCommand(
        words=tuple(words), text=_text(node), variables=variables, redirects=tuple(redirects), joined=joined
    )


def _declared(node: Node) -> list[str]:
    if node.type == "variable_assignment":
        return [_text(node)]
    return [_text(child) for child in node.named_children if child.type == "variable_assignment"]


def _word(node: Node) -> str:
    """Return a word without its quotes; one in which something is expanded stays as it is written."""
    inner = node.named_children[0] if node.type == "command_name" and node.named_children else node
    written = _text(inner)
    expands = "$" in written or "`" in written
    return written if expands and inner.type != "raw_string" else _bare(written)


def _bare(written: str) -> str:
    try:
        parts = shlex.split(written)
    except ValueError:
        return written
    return parts[0] if len(parts) == 1 else written if parts else ""


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _unwrapped(command: ShellCommand, depth: int) -> list[ShellCommand]:
    """Return what `bash -lc '…'` runs, joined as it is joined; every other command stays."""
    words = command.words
    if len(words) != 3 or words[0].rpartition("/")[2] not in _SHELLS or words[1] not in _INNER or depth < _DEPTH:
        return [command]
    try:
        first, *rest = commands_in(words[2])
    except (NotPlain, ValueError):
        return [command]
    return [replace(first, joined=command.joined), *rest]


def _placed(groups: Iterator[list[ShellCommand]]) -> Iterator[ShellCommand]:
    """Say directories and variables with the commands that they hold for; they alone are commands as well."""
    directory, variables, moved = "", dict[str, str](), list[ShellCommand]()
    joined, count = "", 0
    for command in (one for group in groups for one in group):
        if command.words[0] == "cd" and len(command.words) == 2 and command.joined != "|":
            directory = _below(directory, command.words[1])
            moved.append(command)
        elif command.words[0] in _ASSIGNS and command.joined != "|" and len(command.words) > 1:
            variables |= {name: _bare(value) for name, _, value in (word.partition("=") for word in command.words[1:])}
            moved.append(command)
        elif command.words[0] == "exit":
            moved.append(command)
        else:
            count += 1
            yield replace(
                command,
                directory=_below(directory, command.directory) if command.directory else directory,
                variables={**variables, **command.variables},
                joined=command.joined if count > 1 else joined,
            )
    if not count:
        yield from moved


def _below(directory: str, place: str) -> str:
    return place if not directory or place.startswith(("/", "~", "$")) else f"{directory.rstrip('/')}/{place}"
