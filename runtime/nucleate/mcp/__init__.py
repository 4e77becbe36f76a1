"""Tools and memory over the Model Context Protocol: to agents, and between agents and other servers."""

from nucleate.mcp.gate import ClientLimits
from nucleate.mcp.house import Serving, open_server
from nucleate.mcp.http import Address, Tokens, make_app, read_address, read_tokens, serve_http
from nucleate.mcp.stdio import Wire, claim_wire, serve_stdio

__all__ = [
    "Address",
    "ClientLimits",
    "Serving",
    "Tokens",
    "Wire",
    "claim_wire",
    "make_app",
    "open_server",
    "read_address",
    "read_tokens",
    "serve_http",
    "serve_stdio",
]
