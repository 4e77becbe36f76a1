"""A scripted model for the desk of `docs/examples/agent_openai`: it does what it is told, with the tools that it is given."""

from __future__ import annotations

import json
from typing import Any

from tests.runtime.recording.service import Answer, Request
from tests.runtime.recording.wire import chat

OWN = frozenset({"find_customer", "open_ticket"})


def reply(request: Request) -> Answer:
    """Call a learned tool where one is offered, else find the customer and open a ticket; then say its number."""
    email, text = request["messages"][0]["content"].split(" reports: ")
    results = [json.loads(message["content"]) for message in request["messages"] if message["role"] == "tool"]
    if results and "ticket_id" in json.dumps(results[-1]):
        return chat(f"Done: {json.dumps(results[-1])}")
    learned = [tool["function"] for tool in request["tools"] if tool["function"]["name"] not in OWN]
    if learned and not results:
        return chat(None, (_id(results), learned[0]["name"], _filled(learned[0]["parameters"], email, text)))
    if not results:
        return chat(None, (_id(results), "find_customer", {"email": email}))
    return chat(None, (_id(results), "open_ticket", {**results[-1], "text": text}))


def _id(results: list[Any]) -> str:
    return f"call_{len(results)}"


def _filled(schema: dict[str, Any], email: str, text: str) -> dict[str, str]:
    return {name: email if "mail" in name else text for name in schema["properties"]}
