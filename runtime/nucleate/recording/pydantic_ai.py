"""A capability for pydantic-ai: `Agent(model, capabilities=[PydanticAiRecorder()])`."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, SkipToolExecution
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from nucleate.recording.calls import begin
from nucleate.recording.task import Recording

_LATER = (ApprovalRequired, CallDeferred, SkipToolExecution)  # nothing was done: no step


class PydanticAiRecorder(AbstractCapability[Any]):
    """Records every tool call, in the recording given or in the one that is open; refused arguments are errors too."""

    def __init__(self, run: Recording | None = None) -> None:
        self._run = run

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 - the signatures are the framework's
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,  # noqa: ARG002
        args: Any,
        handler: Any,
    ) -> Any:
        """Record a call around its execution."""
        step = begin(call.tool_name, args, self._run)
        try:
            result = await handler(args)
        except _LATER:
            raise
        except Exception as error:
            step.raised(_cause(error))
            raise
        step.returned(result)
        return result

    async def on_tool_validate_error(
        self,
        ctx: RunContext[Any],  # noqa: ARG002
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,  # noqa: ARG002
        args: Any,  # noqa: ARG002
        error: Any,
    ) -> Any:
        """Record a call whose arguments were refused, as the model wrote them."""
        step = begin(call.tool_name, call.args, self._run)
        step.raised(error if not isinstance(error, ValidationError) else ValueError(_told(error)))
        raise error


def _cause(error: Exception) -> BaseException:
    """Return what the tool raised, where the framework has wrapped it."""
    wrapped = type(error).__module__.startswith("pydantic_ai") and error.__cause__ is not None
    return error.__cause__ if wrapped and error.__cause__ is not None else error


def _told(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_url=False))
