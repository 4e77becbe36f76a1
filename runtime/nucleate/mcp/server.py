"""The MCP server: the protocol's requests, each answered by the service off the event loop."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Any, TypeAlias, TypeVar

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from nucleate.environments.calls_under_way import CallUnderway
from nucleate.errors import NucleateError
from nucleate.mcp.answers import refusal
from nucleate.mcp.checking import unknown_name
from nucleate.mcp.client_tasks import Tasks
from nucleate.mcp.clients import caller_of
from nucleate.mcp.counter import Counter
from nucleate.mcp.gate import CallGate, CallRefused, ClientLimits
from nucleate.mcp.offers import Offer, Visit
from nucleate.mcp.passed_on import PassedOn
from nucleate.mcp.skills import Skills
from nucleate.mcp.work import Report, Work
from nucleate_sandbox import FunctionError, JsonObject, SandboxError
from nucleate_text_memory import MemoryFault
from nucleate_tool_library import LibraryError

LOG = logging.getLogger(__name__)
SWEEP_SECONDS = 5.0
INSTRUCTIONS = (
    "Tools here were made from what agents did again and again, and are tested. Before a task of several steps, look "
    "for one with search_tools; its signature is all that call_tool needs. Say with report_outcome how the task ended."
)

T = TypeVar("T")
Context: TypeAlias = ServerRequestContext[Any, Any]


class Handlers:
    """Answers requests; whatever goes wrong in a call is a result that says so, and concerns that call alone."""

    def __init__(
        self, counter: Counter, tasks: Tasks, skills: Skills, passed: PassedOn, *, limits: ClientLimits
    ) -> None:
        self._counter = counter
        self._skills = skills
        self._passed = passed
        self._tasks = tasks
        self._gate = CallGate(limits)
        self._work = Work()

    async def list_tools(self, _context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        """Answer `tools/list`."""
        offers = await self._work.run(lambda _call: self._counter.listed())
        return ListToolsResult(tools=[offer.description for offer in offers])

    async def list_resources(self, _context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """Answer `resources/list`: our own, and behind the last page of them those of other servers."""
        cursor = params.cursor if params is not None else None

        def listed(_call: CallUnderway) -> ListResourcesResult:
            page = self._skills.listed(cursor)
            if page.next_cursor is None:
                page.resources.extend(self._passed.resources())
            return page

        return await self._work.run(listed)

    async def list_templates(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""

        def listed(_call: CallUnderway) -> ListResourceTemplatesResult:
            own = self._skills.templates()
            return ListResourceTemplatesResult(resource_templates=[*own.resource_templates, *self._passed.templates()])

        return await self._work.run(listed)

    async def read_resource(self, _context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Answer `resources/read`."""
        uri = str(params.uri)
        here = not self._passed.servers or self._skills.has(uri)
        return await self._passing(lambda: self._skills.read(uri) if here else self._passed.read(uri))

    async def list_prompts(self, _context: Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
        """Answer `prompts/list`."""
        return ListPromptsResult(prompts=list(await self._passing(self._passed.prompts)))

    async def get_prompt(self, _context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Answer `prompts/get`."""
        return await self._passing(lambda: self._passed.prompt(params.name, params.arguments))

    async def _passing(self, ask: Callable[[], T]) -> T:
        try:
            return await self._work.run(lambda _call: ask())
        except (SandboxError, FunctionError) as outage:
            raise MCPError(code=INTERNAL_ERROR, message=str(outage)) from outage

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """Answer `tools/call`."""
        caller = caller_of(context)
        try:
            async with self._gate.turn(caller.client):
                perform = partial(self._perform, context, params)
                return await self._work.run(perform, _report(context))
        except CallRefused as refused:
            return refusal("TooManyCalls", str(refused))

    def _perform(self, context: Context, params: CallToolRequestParams, call: CallUnderway) -> CallToolResult:
        try:
            offer = self._counter.find(params.name)
            if offer is None:
                return unknown_name("UnknownTool", params.name, self._counter.names())
            visit = Visit(caller=caller_of(context), call=call)
            self._hear(visit)
            return self._offered(offer, params.arguments or {}, visit)
        except SandboxError as outage:
            return refusal("Unavailable", f"{outage}. This says nothing about the tool; try again later")
        except (NucleateError, LibraryError, MemoryFault) as error:
            return refusal(type(error).__name__, str(error))

    def _hear(self, visit: Visit) -> None:
        """Take the task that a client names beside its call."""
        task = visit.caller.said.get("task")
        if isinstance(task, str) and task:
            self._tasks.begin(visit.caller.session, task, program=visit.caller.program)

    def _offered(self, offer: Offer, arguments: JsonObject, visit: Visit) -> CallToolResult:
        try:
            return offer.perform(arguments, visit)
        except (SandboxError, NucleateError, LibraryError, MemoryFault, MCPError):
            raise
        except Exception:  # the outermost loop of a server: one call must not end the others
            LOG.exception("the call of %s failed", offer.name)
            return refusal("InternalError", "the server could not perform this call; its log says why")


def make_server(
    counter: Counter, tasks: Tasks, skills: Skills, passed: PassedOn, *, limits: ClientLimits
) -> Server[None]:
    """Return the server; while it runs, tasks that have gone quiet end. It has prompts where other servers do."""
    handlers = Handlers(counter, tasks, skills, passed, limits=limits)
    return Server(
        "nucleate",
        version=version("nucleate"),
        title="Nucleate",
        instructions=INSTRUCTIONS,
        lifespan=lambda _server: _sweeping(tasks.sweep),
        get_tool_input_schema=_schema_of(counter),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts if passed.servers else None,
        on_get_prompt=handlers.get_prompt if passed.servers else None,
    )


def _schema_of(counter: Counter) -> Callable[[str], JsonObject | None]:
    def schema(name: str) -> JsonObject | None:
        offer = counter.find(name)
        return offer.description.input_schema if offer is not None else None

    return schema


@asynccontextmanager
async def _sweeping(sweep: Callable[[], object]) -> AsyncIterator[None]:
    async def sweep_for_ever() -> None:
        while True:
            await anyio.sleep(SWEEP_SECONDS)
            await anyio.to_thread.run_sync(sweep)

    async with anyio.create_task_group() as group:
        group.start_soon(sweep_for_ever)
        yield
        group.cancel_scope.cancel()


def _report(context: Context) -> Report | None:
    """Return how progress is reported, where the client asked for it."""
    if (context.meta or {}).get("progress_token") is None:
        return None
    report: Callable[..., Awaitable[None]] = context.session.report_progress

    async def told(seconds: float, said: str) -> None:
        await report(seconds, None, said)

    return told
