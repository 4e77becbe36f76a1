"""One call as a model makes it: arguments that it wrote, and an answer that it can learn from."""

from __future__ import annotations

import json
from dataclasses import dataclass

from nucleate.errors import ToolFailed
from nucleate.exports.schemas import faults, restored
from nucleate.tools import CallableTool
from nucleate_sandbox import Json, JsonError, Outcome, parse


@dataclass(frozen=True, kw_only=True)
class CallAnswer:
    """What the model is told: the value, or an error. A `mistake` is one that other arguments may mend."""

    value: Json = None
    error: str = ""
    mistake: bool = False

    @property
    def text(self) -> str:
        """Return the answer as text: a text value as it is, any other as JSON."""
        if self.error:
            return self.error
        return self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)


def call(tool: CallableTool, arguments: Json) -> CallAnswer:
    """Call a tool with what a model wrote, an object or its JSON text. An outage is a SandboxError, not an answer."""
    signature = tool.version.signature
    try:
        written = parse(arguments or "{}") if isinstance(arguments, str) else arguments
    except JsonError as error:
        return _mistake(f"the arguments are not JSON ({error}); write one object", signature.text)
    if not isinstance(written, dict):
        return _mistake(f"the arguments are {written!r:.80}; write one object", signature.text)
    given = restored(written, signature.parameters)
    wrong = faults(signature, given)
    if wrong:
        return _mistake("; ".join(wrong), signature.text)
    try:
        return _told(tool.outcome(**given))
    except ToolFailed as error:
        return CallAnswer(error=str(error))


def _mistake(what: str, text: str) -> CallAnswer:
    return CallAnswer(error=f"InvalidArguments: {what}. Call it as {text}", mistake=True)


def _told(outcome: Outcome) -> CallAnswer:
    error = outcome.error
    if error is None:
        return CallAnswer(value=outcome.value)
    return CallAnswer(error=f"{error}; ask it for less" if error.limit is not None else str(error))
