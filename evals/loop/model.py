"""A scripted model that errs as models do, and is helped by nothing but what stands in its prompt.

It knows how each family of the demo's tasks is solved, one call a block (`ways.toml`), and makes one slip in each task:

* `value`, `argument`: a wrong value, or a wrong name of an argument; it reads the error and corrects itself.
* `retries`: the same, and the wrong call twice more before it corrects itself.
* `ignores`: the same, and it goes on as if nothing had happened: the task is not solved.
* `forgets`: it leaves out a look-up, meets a name that is not there, and makes up for it.
* `invents`: it calls a function that does not exist, and then the right one.
* `stops_early`: it leaves out the last call, and says that it is done: the task is not solved.
* `malformed`: its first reply has no block.

What it reads in the system prompt, as text, decides which slips it makes:

* A pitfall or a fact that names the function keeps it from `value`, `argument`, `retries` and `ignores` there.
* A plan that names the functions that the task is about, and the one concerned, keeps it from `forgets`, `invents` and
  `stops_early`.
* A tool whose docstring says what the documentation of those functions says is called in their place. It fills the
  parameters by their names. In a task with the slip `forgets` it leaves out an argument first, unless warned of that
  tool. Where the tool fails otherwise, it goes back to single calls.

So a plan saves no steps by itself, only those that slips cost; a tool saves the calls that it replaces. Tokens are
those of all messages of every request, by the project's estimate of WordPiece tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from pydantic import BaseModel

from evals.loop.reading import Offered, Prompt, read_prompt
from evals.loop.ways import Slots, Way, function_of, way_of
from nucleate_codifier.chat import Message, Reply, Role
from nucleate_text_memory.retrieval.words import estimate_tokens

VALUES = frozenset({"value", "retries", "ignores"})
DONE = 'finish("done")'


class ErringModel:
    """Answers from the conversation alone; `slips` says what goes wrong in which task."""

    name = "scripted"

    def __init__(self, slips: Mapping[str, str]) -> None:
        self._slips = slips

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:  # noqa: ARG002
        """Return the next reply."""
        prompt, query = read_prompt(messages[0].content), messages[1].content
        text = self._reply(prompt, query, messages[2:])
        asked = sum(_tokens(message.content) for message in messages)
        return Reply(text=text, model=self.name, prompt_tokens=asked, completion_tokens=_tokens(text), dollars=0.0)

    def _reply(self, prompt: Prompt, query: str, said: Sequence[Message]) -> str:
        way, slots = way_of(query)
        slip = self._slips.get(query, "")
        replies = len([message for message in said if message.role is Role.ASSISTANT])
        script = [*_script(prompt, way, slots, slip)]
        tool = prompt.tool_for(way.effect)
        if tool is not None and _gave_up(tool, said):
            tried = len(_tool_calls(prompt, tool, slots, slip))
            script = [*script[:tried], *_calls(prompt, way, slots, slip), DONE]
        return script[min(replies, len(script) - 1)] if _is_prose(script, replies) else _block(script, replies)


def _script(prompt: Prompt, way: Way, slots: Slots, slip: str) -> Iterator[str]:
    if slip == "malformed":
        yield "I will look into it."
    tool = prompt.tool_for(way.effect)
    yield from _tool_calls(prompt, tool, slots, slip) if tool is not None else _calls(prompt, way, slots, slip)
    yield DONE


def _tool_calls(prompt: Prompt, tool: Offered, slots: Slots, slip: str) -> list[str]:
    given = _arguments(tool, slots)
    right = f"{tool.name}({', '.join(given)})"
    if slip == "forgets" and not prompt.warns_of(tool.name):
        return [f"{tool.name}({', '.join(given[:-1])})", right]
    return [right]


def _arguments(tool: Offered, slots: Slots) -> list[str]:
    """Return the arguments by the parameters' names; one that no value is called like takes the value left over."""
    left = {name: value for name, value in slots.items() if name not in dict(tool.parameters)}
    found = []
    for name, kind in tool.parameters:
        value = slots[name] if name in slots else left.pop(next(iter(left), ""), "")
        found.append(f"{name}={value if kind in ('float', 'int') else repr(value)}")
    return found


def _gave_up(tool: Offered, said: Sequence[Message]) -> bool:
    """Return whether the last call of the tool ended in an error that is none of the model's own making."""
    errors = [after.content for before, after in pairwise(said)
              if f"{tool.name}(" in before.content and after.content.startswith("error:")]  # fmt: skip
    return any("TypeError" not in error for error in errors)


def _calls(prompt: Prompt, way: Way, slots: Slots, slip: str) -> Iterator[str]:
    lines = [line.format(**slots) for line in way.lines]
    at = _where(way, slip)
    function = function_of(lines[at])
    safe = prompt.warns_of(function) if slip in VALUES | {"argument"} else prompt.planned(function, way.effect)
    for number, line in enumerate(lines):
        if number != at or safe or slip in ("", "malformed"):
            yield line
        else:
            yield from _slipped(way, slots, lines, at, slip)
            if slip == "forgets":
                yield lines[at + 1]  # it meets the missing name
                yield line


def _where(way: Way, slip: str) -> int:
    if slip in VALUES:
        return next(at for at, line in enumerate(way.lines) if function_of(line) == way.wrong["function"])
    return {"stops_early": len(way.lines) - 1, "argument": 0}.get(slip, 1)


def _slipped(way: Way, slots: Slots, lines: Sequence[str], at: int, slip: str) -> Iterator[str]:
    """Return what is written in place of a line, up to the right one."""
    right = lines[at]
    if slip in VALUES:
        wrong = way.lines[at].replace(way.wrong["this"], way.wrong["that"]).format(**slots)
        yield from [wrong] * (3 if slip == "retries" else 1)
        yield from [right] if slip != "ignores" else []
    elif slip == "argument":
        yield from [re.sub(r"\((\w+)=", "(value=", right, count=1), right]
    elif slip == "invents":
        yield from [right.replace(f".{function_of(right).partition('.')[2]}(", ".fetch(", 1), right]


def _is_prose(script: Sequence[str], number: int) -> bool:
    return script[min(number, len(script) - 1)].endswith(" it.")


def _block(script: Sequence[str], number: int) -> str:
    code = script[min(number, len(script) - 1)]
    return f"{_thought(code)}\n```python\n{code}\n```"


def _thought(code: str) -> str:
    if code == DONE:
        return "Everything that was asked is done."
    function = function_of(code)
    return f"Next is {function}." if function else "There is a tool for this task."


@lru_cache(maxsize=4096)
def _tokens(text: str) -> int:
    return estimate_tokens(text)
