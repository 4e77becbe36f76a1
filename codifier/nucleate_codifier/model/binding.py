"""Arguments for queries that the model was not shown: asked for once the source stands, in a conversation apart."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_codifier.chat import ChatModel, Message, Role
from nucleate_codifier.model.actions import Bindings, object_of
from nucleate_codifier.model.brief import NumberedQuery, query_lines
from nucleate_codifier.model.budget import Spending
from nucleate_codifier.model.conversation import Conversation
from nucleate_codifier.model.prompting import render
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Occurrence
from nucleate_tool_library import Signature


def bind(
    signature: Signature, held_out: Mapping[int, Occurrence], *, model: ChatModel, spending: Spending
) -> dict[int, JsonObject]:
    """Return the arguments with which an agent would call the tool, by query number, for each query that it serves.

    The model sees the tool as agents do (signature and docstring) and the queries; its answer cannot change the source.
    """
    queries = [NumberedQuery(number=number, text=run.trajectory.query) for number, run in held_out.items()]
    text = render("bind", signature=signature.text, doc=signature.doc, queries=query_lines(queries))
    conversation = Conversation(model, spending, Message(role=Role.USER, content=text))
    answer = conversation.ask(Bindings)
    return {
        item.query: object_of(item.arguments) for item in answer.bindings if item.applies and item.query in held_out
    }
