"""The steps that a call of a shell is: one for each command, the outcome with the command that it belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from nucleate_text_memory.recordings.answers.answering import SHELLS
from nucleate_text_memory.recordings.happenings import Answered, AskedCall
from nucleate_text_memory.recordings.shell.heads import head_of
from nucleate_text_memory.recordings.shell.parsed_lines import NotPlain, ShellCommand, commands_in
from nucleate_text_memory.redaction.redact import redact_text
from nucleate_text_memory.values import Json, JsonObject

NAMESPACE = "shell"
_PLACES = ("workdir", "dir_path", "directory", "cwd")
_SCRIPT = f"{NAMESPACE}.script"


@dataclass(frozen=True, kw_only=True)
class ShellStep:
    """A call of a function that stands for a command: its foreign name, its arguments, what came back, its text."""

    name: str
    arguments: JsonObject
    answer: Answered
    text: str


ShellSteps: TypeAlias = tuple[ShellStep, ...]


def is_shell(call: AskedCall) -> bool:
    """Return whether a call hands a line to a shell."""
    return call.name in SHELLS and bool(line_of(call))


def line_of(call: AskedCall) -> str:
    """Return the line that a shell was given; the list form of Codex is read as what it runs."""
    given = call.arguments.get(SHELLS[call.name], call.arguments.get("command", call.arguments.get("cmd")))
    if isinstance(given, list) and given and all(isinstance(word, str) for word in given):
        words = [str(word) for word in given]
        inner = len(words) == 3 and words[1] in {"-lc", "-c"}
        return words[2] if inner else " ".join(words)
    return given if isinstance(given, str) else ""


def steps_of(call: AskedCall, answer: Answered) -> ShellSteps:
    """Return a step for each command of a line, in order.

    The answer belongs to the last command, which is the one that ended the line. Where the line failed it belongs to
    the command that its message names, and what would have come after that never ran.
    """
    line = redact_text(line_of(call))  # before it falls into words, which show no more what was a secret
    place = next((call.arguments[key] for key in _PLACES if call.arguments.get(key)), "")
    try:
        commands = commands_in(line)
    except NotPlain:
        given: JsonObject = {"script": line, **({"directory": place} if place else {})}
        return (ShellStep(name=_SCRIPT, arguments=given, answer=answer, text=line),)
    last = _failed(commands, answer) if answer.error else len(commands) - 1
    none = Answered(id=answer.id)
    return tuple(
        _step(command, answer if index == last else none, place) for index, command in enumerate(commands[: last + 1])
    )


def _step(command: ShellCommand, answer: Answered, place: Json) -> ShellStep:
    before, head, arguments = head_of(command.words)
    directory = command.directory or place
    told: JsonObject = {"arguments": [*arguments]}
    told |= {"directory": directory} if directory else {}
    told |= {"variables": {**command.variables}} if command.variables else {}
    told |= {"redirects": [*command.redirects]} if command.redirects else {}
    told |= {"input_from": "the command before"} if command.joined == "|" else {}
    told |= {"before": [*before]} if before else {}
    name = f"{NAMESPACE}.{' '.join(head)}"
    return ShellStep(name=name, arguments=told, answer=answer, text=command.text)


def _failed(commands: list[ShellCommand], answer: Answered) -> int:
    """Return which command of a failed line failed: the one that the message names, else the last one."""
    message = answer.error.message if answer.error else ""
    for index, command in enumerate(commands[:-1]):
        program = re.escape(head_of(command.words)[1][0])
        named = re.compile(rf"(?im)(?:^|[\s:/]){program}(?:\.\w+)?(?:[:!]| ERR| error| failed)")
        if commands[index + 1].joined == "&&" and named.search(message):
            return index
    return len(commands) - 1
