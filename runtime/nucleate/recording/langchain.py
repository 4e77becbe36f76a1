"""LangChain's callbacks: `agent.invoke(…, config={"callbacks": [LangChainRecorder()]})`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

from nucleate.recording.calls import begin
from nucleate.recording.log import OpenCall
from nucleate.recording.task import Recording


class LangChainRecorder(BaseCallbackHandler):
    """Records every tool that runs, in the recording given or in the one that is open; one handler serves many runs."""

    run_inline = True  # in its turn also under asyncio: the order of calls is the order of steps

    def __init__(self, run: Recording | None = None) -> None:
        self._run = run
        self._open: dict[UUID, OpenCall] = {}

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        inputs: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Begin a step."""
        name = (serialized or {}).get("name") or more.get("name") or "tool"
        self._open[run_id] = begin(str(name), input_str if inputs is None else inputs, self._run)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_more: Any) -> None:
        """End a step with what the tool answered."""
        call = self._open.pop(run_id, None)
        if call is not None:
            failed = getattr(output, "status", None) == "error" or None
            call.answered(getattr(output, "content", output), failed=failed)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_more: Any) -> None:
        """End a step with what the tool raised."""
        call = self._open.pop(run_id, None)
        if call is not None:
            call.raised(error)
