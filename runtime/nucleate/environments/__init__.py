"""Adapters that give an agent functions to call: Python objects, function files, MCP, OpenAPI, recordings."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.environments.described_functions import FunctionsFileError
    from nucleate.environments.effects import effect
    from nucleate.environments.function_files import FunctionsFile, read_functions
    from nucleate.environments.mcp.mcp_environment import McpEnvironment
    from nucleate.environments.mcp.mcp_server import McpServer
    from nucleate.environments.objects import ObjectEnvironment
    from nucleate.environments.openapi.openapi_environment import OpenApiEnvironment
    from nucleate.environments.openapi.wire import HttpLimits
    from nucleate_sandbox import RecordedEnvironment
else:
    _PLACES = {
        "FunctionsFile": "nucleate.environments.function_files",
        "FunctionsFileError": "nucleate.environments.described_functions",
        "HttpLimits": "nucleate.environments.openapi.wire",
        "McpEnvironment": "nucleate.environments.mcp.mcp_environment",
        "McpServer": "nucleate.environments.mcp.mcp_server",
        "ObjectEnvironment": "nucleate.environments.objects",
        "OpenApiEnvironment": "nucleate.environments.openapi.openapi_environment",
        "RecordedEnvironment": "nucleate_sandbox",
        "effect": "nucleate.environments.effects",
        "read_functions": "nucleate.environments.function_files",
    }
    __getattr__ = _lazily(__name__, _PLACES)

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
