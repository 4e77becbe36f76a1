"""Adapters that give an agent functions to call: Python objects, function files, MCP, OpenAPI, recordings."""

import typing

from nucleate.environments.described_functions import FunctionsFileError
from nucleate.environments.effects import effect
from nucleate.environments.function_files import FunctionsFile, read_functions
from nucleate.environments.mcp.mcp_server import McpServer
from nucleate.environments.objects import ObjectEnvironment
from nucleate_sandbox import RecordedEnvironment
from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.environments.mcp.mcp_environment import McpEnvironment
    from nucleate.environments.openapi.openapi_environment import OpenApiEnvironment
    from nucleate.environments.openapi.wire import HttpLimits
else:
    __getattr__ = _lazily(
        __name__,
        {
            "HttpLimits": "nucleate.environments.openapi.wire",
            "McpEnvironment": "nucleate.environments.mcp.mcp_environment",
            "OpenApiEnvironment": "nucleate.environments.openapi.openapi_environment",
        },
    )

__all__ = [
    "FunctionsFile",
    "FunctionsFileError",
    "HttpLimits",
    "McpEnvironment",
    "McpServer",
    "ObjectEnvironment",
    "OpenApiEnvironment",
    "RecordedEnvironment",
    "effect",
    "read_functions",
]
