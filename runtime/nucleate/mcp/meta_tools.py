"""The meta-tools: few, always the same, in an order that never changes, with short descriptions."""

from __future__ import annotations

from nucleate.mcp.offers import Offer, meta_tool
from nucleate.mcp.service import Service
from nucleate_sandbox import JsonObject

TEXT: JsonObject = {"type": "string"}
NOTE: JsonObject = {"type": "string", "default": ""}
LIMIT: JsonObject = {"type": "integer", "minimum": 1, "maximum": 20, "default": 5}
ANYTHING: JsonObject = {"type": "object", "default": {}}
UNSURE: JsonObject = {"type": ["boolean", "null"], "default": None}


def meta_tools(service: Service, *, proxied: bool) -> tuple[Offer, ...]:
    """Return the meta-tools; an agent that works through this server on others can also say what its task is."""
    return (*_finding(service), *_reporting(service), *((_beginning(service),) if proxied else ()))


def _finding(service: Service) -> tuple[Offer, ...]:
    return (
        meta_tool(
            service.search_tools,
            "search_tools",
            "Find tested tools by what they do. Say the task in your own words.",
            {"query": TEXT, "limit": LIMIT},
            gives="tools",
        ),
        meta_tool(
            service.describe_tool,
            "describe_tool",
            "Show a tool's parameters, result, effects and an example.",
            {"name": TEXT},
            gives="tool",
        ),
        meta_tool(
            service.call_tool,
            "call_tool",
            "Call a tool that search_tools found.",
            {"name": TEXT, "arguments": ANYTHING},
            gives="result",
            reads=False,
        ),
        meta_tool(
            service.recall,
            "recall",
            "Recall plans, facts and pitfalls from earlier tasks like this one.",
            {"query": TEXT},
            gives="entries",
        ),
    )


def _reporting(service: Service) -> tuple[Offer, ...]:
    return (
        meta_tool(
            service.report_outcome,
            "report_outcome",
            "Say once, at its end, how the task went; later tasks profit from it.",
            {"task": TEXT, "success": UNSURE, "feedback": NOTE, "wrong_tool": NOTE},
            gives="recorded",
            reads=False,
        ),
    )


def _beginning(service: Service) -> Offer:
    return meta_tool(
        service.begin_task,
        "begin_task",
        "Say at its beginning what the task is, in the user's words.",
        {"task": TEXT},
        gives="begun",
        reads=False,
    )
