"""Tools for LangChain and LangGraph: structured tools whose errors become messages to the model."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import StructuredTool, ToolException

from nucleate.exports.calling import call
from nucleate.exports.schemas.references import object_root
from nucleate.exports.schemas.short_descriptions import summary
from nucleate.tools import CallableTool
from nucleate_sandbox import Json


def framework_tool(tool: CallableTool, name: str) -> StructuredTool:
    """Return one tool; what it cannot do is a message with the status `error`."""

    def run(**arguments: Any) -> Json:
        answer = call(tool, arguments)
        if answer.error:
            raise ToolException(answer.error)
        return answer.value

    signature = tool.version.signature
    return StructuredTool.from_function(
        func=run,
        name=name,
        description=summary(signature.doc) or name,
        args_schema=object_root(signature.parameters),
        infer_schema=False,
        handle_tool_error=True,
    )
