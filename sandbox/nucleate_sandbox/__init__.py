"""Runs code that it does not trust; knows nothing of tools or memory."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate_sandbox.docker import DockerSandbox
    from nucleate_sandbox.environment import NONE, Effect, Environment, FunctionError, Functions, FunctionSpec
    from nucleate_sandbox.errors import EngineUnavailable, EnvironmentUnavailable, ImageMissing, SandboxError
    from nucleate_sandbox.installer import lock, uv_version
    from nucleate_sandbox.json_values import Json, JsonError, JsonObject, canonical, parse
    from nucleate_sandbox.limits import Limit, Limits
    from nucleate_sandbox.monty import MontySandbox
    from nucleate_sandbox.outcome import Call, Failure, Outcome, Output, TestCase, TestReport, Usage
    from nucleate_sandbox.packages import NO_PACKAGES, Lock, PackageError, closure_lock, read_requirements
    from nucleate_sandbox.protocol import Module, Sandbox, Session
    from nucleate_sandbox.recorded import NoRecord, RecordedEnvironment
    from nucleate_sandbox.scripted import ScriptedSandbox
else:
    _PLACES = {
        "Call": "outcome",
        "DockerSandbox": "docker",
        "Effect": "environment",
        "EngineUnavailable": "errors",
        "Environment": "environment",
        "EnvironmentUnavailable": "errors",
        "Failure": "outcome",
        "FunctionError": "environment",
        "FunctionSpec": "environment",
        "Functions": "environment",
        "ImageMissing": "errors",
        "Json": "json_values",
        "JsonError": "json_values",
        "JsonObject": "json_values",
        "Limit": "limits",
        "Limits": "limits",
        "Lock": "packages",
        "Module": "protocol",
        "MontySandbox": "monty",
        "NONE": "environment",
        "NO_PACKAGES": "packages",
        "NoRecord": "recorded",
        "Outcome": "outcome",
        "Output": "outcome",
        "PackageError": "packages",
        "RecordedEnvironment": "recorded",
        "Sandbox": "protocol",
        "SandboxError": "errors",
        "ScriptedSandbox": "scripted",
        "Session": "protocol",
        "TestCase": "outcome",
        "TestReport": "outcome",
        "Usage": "outcome",
        "canonical": "json_values",
        "closure_lock": "packages",
        "lock": "installer",
        "parse": "json_values",
        "read_requirements": "packages",
        "uv_version": "installer",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

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
