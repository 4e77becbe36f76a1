"""Runs code that it does not trust; knows nothing of tools or memory."""

import typing

from nucleate_sandbox.environment import NONE, Effect, Environment, FunctionError, Functions, FunctionSpec
from nucleate_sandbox.errors import EngineUnavailable, EnvironmentUnavailable, ImageMissing, SandboxError
from nucleate_sandbox.json_values import Json, JsonError, JsonObject, canonical, parse
from nucleate_sandbox.lazy import lazily as _lazily
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.outcome import Call, Failure, Outcome, Output, TestCase, TestReport, Usage
from nucleate_sandbox.packages import NO_PACKAGES, Lock, PackageError, closure_lock, read_requirements
from nucleate_sandbox.protocol import Module, Sandbox, Session
from nucleate_sandbox.recorded import NoRecord, RecordedEnvironment
from nucleate_sandbox.scripted import ScriptedSandbox

if typing.TYPE_CHECKING:
    from nucleate_sandbox.docker import DockerSandbox
    from nucleate_sandbox.installer import lock, uv_version
    from nucleate_sandbox.monty import MontySandbox
else:
    __getattr__ = _lazily(
        __name__,
        {
            "DockerSandbox": "nucleate_sandbox.docker",
            "MontySandbox": "nucleate_sandbox.monty",
            "lock": "nucleate_sandbox.installer",
            "uv_version": "nucleate_sandbox.installer",
        },
    )

__all__ = [
    "NONE",
    "NO_PACKAGES",
    "Call",
    "DockerSandbox",
    "Effect",
    "EngineUnavailable",
    "Environment",
    "EnvironmentUnavailable",
    "Failure",
    "FunctionError",
    "FunctionSpec",
    "Functions",
    "ImageMissing",
    "Json",
    "JsonError",
    "JsonObject",
    "Limit",
    "Limits",
    "Lock",
    "Module",
    "MontySandbox",
    "NoRecord",
    "Outcome",
    "Output",
    "PackageError",
    "RecordedEnvironment",
    "Sandbox",
    "SandboxError",
    "ScriptedSandbox",
    "Session",
    "TestCase",
    "TestReport",
    "Usage",
    "canonical",
    "closure_lock",
    "lock",
    "parse",
    "read_requirements",
    "uv_version",
]
