"""smolagents: the tools of an agent are recorded where they run, alone, in parallel, or called by code.

A step callback is told of what a step said as one text; what each of several calls gave cannot be read from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from smolagents import MultiStepAgent, Tool

from nucleate.recording.calls import begin
from nucleate.recording.current import current
from nucleate.recording.observed_functions import arguments_in
from nucleate.recording.task import Recording

_OWN = frozenset({"final_answer"})  # the agent's way to end


class _Recorded(Tool):  # type: ignore[misc]
    """A tool that looks like the one it calls."""

    skip_forward_signature_validation = True

    def __init__(self, tool: Tool, run: Recording | None) -> None:
        for name in ("name", "description", "inputs", "output_type", "output_schema"):
            if hasattr(tool, name):
                setattr(self, name, getattr(tool, name))
        self._tool = tool
        self._run = run
        super().__init__()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = {name: value for name, value in kwargs.items() if name != "sanitize_inputs_outputs"}
        call = begin(self.name, self._named(args, given), self._run)
        try:
            value = self._tool(*args, **kwargs)
        except Exception as error:
            call.raised(error)
            raise
        call.returned(value)
        return value

    def _named(self, args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
        if not self.inputs:
            return arguments_in(self._tool, args, given)
        return dict(zip(self.inputs, args, strict=False)) | given


@contextmanager
def recorded_agent(agent: MultiStepAgent, run: Recording | None = None) -> Iterator[MultiStepAgent]:
    """Record the agent's tools while the block lasts, in the recording given or in the one that is open now."""
    own, target = dict(agent.tools), run or current()  # now: code runs in a thread that knows of none
    agent.tools.update({name: _Recorded(tool, target) for name, tool in own.items() if name not in _OWN})
    try:
        yield agent
    finally:
        agent.tools.clear()
        agent.tools.update(own)
