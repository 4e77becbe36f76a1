"""Two scripted models: a careful one, and a mid-range one that writes the same in shapes that models really use.

The careful model makes the calls that a task expects, in their order. It does what its prompt asks for: where that says
that `finish` belongs into the block of the last call, it stands there behind a check, else in a block of its own; where
it says that one block may make several calls, look-ups that follow each other share one. So "solved" is no figure here.

The mid-range model writes each reply in another shape with the probability that `rates.toml` gives.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel

from evals.models.retail_tasks import SCOPE, Expected, RetailTask
from nucleate_codifier.chat import Message, Reply, ReplyEnding, Role
from nucleate_text_memory.retrieval.words import estimate_tokens

RATES = Path(__file__).with_name("rates.toml")
FINISH = 'finish("done")'
_READS = ("find_", "get_", "list_", "calculate", "think")


def blocks_of(task: RetailTask, prompt: str) -> list[str]:
    """Return the blocks in which the careful model does a task under a prompt."""
    together = "One block may make several calls" in prompt
    groups = [list(group) for _, group in groupby(task.calls, key=lambda call: together and _reads(call))]
    if not together:
        groups = [[call] for call in task.calls]
    else:
        groups = [part for group in groups for part in ([group] if _reads(group[0]) else [[call] for call in group])]
    blocks = ["\n".join(_line(at, call) for at, call in enumerate(group)) for group in groups]
    if "Put it into the block of the last" in prompt:
        last = len(groups[-1]) - 1
        return [*blocks[:-1], f"{blocks[-1]}\nassert r{last} is not None, r{last}\n{FINISH}"]
    return [*(f"{block}\nr{len(group) - 1}" for block, group in zip(blocks, groups, strict=True)), FINISH]


def _reads(call: Expected) -> bool:
    return call.name.startswith(_READS)


def _line(at: int, call: Expected) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return f"r{at} = env.{SCOPE}.{call.name}({given})"


class CarefulModel:
    """Writes the blocks of the task that it is asked, each in words and a marked fence."""

    name = "careful"

    def __init__(self, tasks: Sequence[RetailTask]) -> None:
        self._tasks = {task.query: task for task in tasks}

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:  # noqa: ARG002
        """Return the next reply."""
        blocks = blocks_of(self._tasks[messages[1].content], messages[0].content)
        done = sum(_carried_out(message) for message in messages[2:])
        text, ending = self._written(blocks[min(done, len(blocks) - 1)], len(messages))
        asked = sum(_tokens(message.content) for message in messages)
        tokens = _tokens(text)
        return Reply(
            text=text, ending=ending, model=self.name, prompt_tokens=asked, completion_tokens=tokens, dollars=0.0
        )

    def _written(self, code: str, number: int) -> tuple[str, ReplyEnding]:
        del number
        return plain(code), ReplyEnding.COMPLETE


class MidRangeModel(CarefulModel):
    """The same work in other shapes; what it draws depends on the seed, the block and the turn alone."""

    name = "mid-range"

    def __init__(self, tasks: Sequence[RetailTask], *, seed: int = 7) -> None:
        super().__init__(tasks)
        self._seed = seed

    def _written(self, code: str, number: int) -> tuple[str, ReplyEnding]:
        return written(code, random.Random(f"{self._seed}:{number}:{code}"))


def written(code: str, chance: random.Random) -> tuple[str, ReplyEnding]:
    """Return a block in the shape that chance and the table of rates give."""
    drawn = chance.random()
    for name, rate in rates().items():
        drawn -= rate
        if drawn < 0:
            return SHAPES[name](code)
    return plain(code), ReplyEnding.COMPLETE


@cache
def rates() -> Mapping[str, float]:
    """Return the probability of each shape."""
    table = tomllib.loads(RATES.read_text(encoding="utf-8"))
    return {row["shape"]: float(row["rate"]) for row in table["shapes"]}


def plain(code: str) -> str:
    """Return a block as the prompt asks for it."""
    return f"The next step.\n\n```python\n{code}\n```"


def _whole(text: str) -> tuple[str, ReplyEnding]:
    return text, ReplyEnding.COMPLETE


def _call_of(code: str) -> dict[str, object]:
    """Return the one call of a block as an object; a block of several lines is not written so."""
    return {"name": "finish", "arguments": {"answer": "done"}} if code == FINISH else {"code": code}


def _as_call(code: str, form: str) -> tuple[str, ReplyEnding]:
    call = _call_of(code)
    return _whole(plain(code) if "code" in call else form.format(json.dumps(call)))


SHAPES: Mapping[str, Callable[[str], tuple[str, ReplyEnding]]] = {
    "unmarked fence": lambda code: _whole(f"Next.\n```\n{code}\n```"),
    "no fence": lambda code: _whole(f"Next I do this.\n\n{code}"),
    "two blocks": lambda code: _whole(f"{plain(code)}\n\nThen:\n\n```python\nprint('next')\n```"),
    "the same block twice": lambda code: _whole(f"{plain(code)}\n\n{plain(code)}"),
    "imagined output": lambda code: _whole(f"{plain(code)}\n\nOutput:\n```\n{{'ok': True}}\n```\n"),
    "think": lambda code: _whole(f"<think>\nMaybe:\n```python\npass\n```\n</think>\n\n{plain(code)}"),
    "end of thinking alone": lambda code: _whole(f"I should do it.\n</think>\n\n{plain(code)}"),
    "channels": lambda code: _whole(
        "<|channel|>analysis<|message|>Do it.<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{plain(code)}<|return|>"
    ),
    "tool_code fence": lambda code: _whole(f"```tool_code\n{code}\n```"),
    "unclosed fence": lambda code: _whole(f"```python\n{code}\n"),
    "tool_call tag": lambda code: _as_call(code, "<tool_call>\n{}\n</tool_call>"),
    "call as an object": lambda code: _as_call(code, "{}"),
    "prose alone": lambda _code: _whole("I have looked at the request and will go on."),
    "empty": lambda _code: _whole(""),
    "cut off": lambda code: (f"```python\n{code[: len(code) // 2]}", ReplyEnding.LENGTH),
}


def _carried_out(message: Message) -> bool:
    """Return whether a message is the answer to a reply that was carried out."""
    return message.role is Role.USER and "could not be carried out" not in message.content


@lru_cache(maxsize=65_536)
def _tokens(text: str) -> int:
    return estimate_tokens(text)
