"""Adapters that give an agent functions to call: plain Python objects, function files, MCP servers, recordings."""

import typing

from nucleate.environments.effects import effect
from nucleate.environments.function_files import FunctionsFile, FunctionsFileError, read_functions
from nucleate.environments.mcp_server import McpServer
from nucleate.environments.objects import ObjectEnvironment
from nucleate_sandbox import RecordedEnvironment
from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.environments.mcp_environment import McpEnvironment
else:
    __getattr__ = _lazily(__name__, {"McpEnvironment": "nucleate.environments.mcp_environment"})

__all__ = [
    "FunctionsFile",
    "FunctionsFileError",
    "McpEnvironment",
    "McpServer",
    "ObjectEnvironment",
    "RecordedEnvironment",
    "effect",
    "read_functions",
]
