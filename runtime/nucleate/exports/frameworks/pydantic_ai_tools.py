"""Tools for Pydantic AI: a wrong argument asks the model again, a failed tool tells it so."""

from __future__ import annotations

from typing import Any

from pydantic_ai import ModelRetry, Tool
from pydantic_ai.exceptions import ToolFailed

from nucleate.exports.calling import call
from nucleate.exports.schemas.references import object_root
from nucleate.exports.schemas.short_descriptions import summary
from nucleate.tools import CallableTool
from nucleate_sandbox import Json

RETRIES = 3


def framework_tool(tool: CallableTool, name: str) -> Tool[object]:
    """Return one tool; its schema is the library's own, which the adapter of each model makes strict where it can."""

    def run(**arguments: Any) -> Json:
        answer = call(tool, arguments)
        if answer.mistake:
            raise ModelRetry(answer.error)
        if answer.error:
            raise ToolFailed(answer.error)
        return answer.value

    signature = tool.version.signature
    made = Tool[object].from_schema(
        run, name=name, description=summary(signature.doc), json_schema=object_root(signature.parameters)
    )
    made.max_retries = RETRIES
    return made
