"""Tools and memory over the Model Context Protocol: to agents, and between agents and other servers."""

from nucleate.mcp.assembly import ServingBounds, open_server
from nucleate.mcp.gate import ClientLimits
from nucleate.mcp.http import ListenAddress, Tokens, listening, make_app, read_address, read_tokens, serve_http
from nucleate.mcp.server_addresses import ServerPlace, read_place, read_places
from nucleate.mcp.stdio import StdioWire, claim_wire, serve_stdio

__all__ = [
    "ClientLimits",
    "ListenAddress",
    "ServerPlace",
    "ServingBounds",
    "StdioWire",
    "Tokens",
    "claim_wire",
    "listening",
    "make_app",
    "open_server",
    "read_address",
    "read_place",
    "read_places",
    "read_tokens",
    "serve_http",
    "serve_stdio",
]
