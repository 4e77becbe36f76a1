"""What came back from a call: a result, an error, or the user's refusal, whichever form an agent writes it in."""

from __future__ import annotations

import re
from dataclasses import replace

from nucleate_text_memory.recordings.answers.command_answers import (
    CommandAnswer,
    begun_answer,
    command_answer,
    unwrapped,
)
from nucleate_text_memory.recordings.answers.refusals import is_refusal
from nucleate_text_memory.recordings.happenings import Answered, AskedCall
from nucleate_text_memory.recordings.observations import json_or_text, observed
from nucleate_text_memory.values import Json

# The tools by which coding agents run commands, and the argument that holds the command.
SHELLS = {
    "Bash": "command", "bash": "command", "shell": "command", "shell_command": "command", "local_shell": "command",
    "exec_command": "cmd", "run_shell_command": "command", "execute_bash": "command", "execute_command": "command",
    "run_command": "command", "run_terminal_cmd": "command", "run_in_terminal": "command", "terminal": "command",
    "command_execution": "command",
}  # fmt: skip
_TOOL_ERROR = re.compile(r"\s*+<tool_use_error>(.*)", re.DOTALL)


def answered(id_: str | None, answer: Json, *, failed: bool | None = None) -> Answered:
    """Return an answer; `failed` is what the format itself says of it, where it says so."""
    if not isinstance(answer, str):
        result, error = observed(answer, failed=failed)
        return Answered(id=id_, result=result, error=error)
    if failed is not False and is_refusal(answer):
        return Answered(id=id_, refused=True)
    command = command_answer(answer) or (begun_answer(answer) if failed else None)
    if command is not None and (command.code is not None or failed is None):
        if command.error is not None:
            return Answered(id=id_, error=command.error)
        answer, failed = _ended(command), failed or (False if command.code == 0 else None)
    marked = _TOOL_ERROR.match(answer)
    if marked is not None:
        answer, failed = marked[1].rstrip().removesuffix("</tool_use_error>"), True
    result, error = observed(unwrapped(answer), failed=failed)
    return Answered(id=id_, result=result, error=error)


def ran(id_: str | None, output: str, code: int) -> Answered:
    """Return the answer of a command of which the exit code is told beside its output."""
    command = CommandAnswer(output=output, code=code)
    return Answered(id=id_, result=None if command.error else json_or_text(_ended(command)), error=command.error)


def _ended(command: CommandAnswer) -> str:
    """Return the output without the end of its last line."""
    return command.output.rstrip("\n")


def settled(call: AskedCall, answer: Answered) -> Answered:
    """Return the answer to a call whose name is known: a shell's may tell the exit code at its end alone."""
    if call.name not in SHELLS or answer.error is not None or not isinstance(answer.result, str):
        return answer
    command = command_answer(answer.result, certain=True)
    if command is None:
        return answer
    result = None if command.error else json_or_text(_ended(command))
    return replace(answer, result=result, error=command.error)
