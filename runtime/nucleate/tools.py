"""Admitted tools as plain callables: a signature, a docstring, and a sandboxed call behind it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate import telemetry
from nucleate.errors import ToolFailed
from nucleate.versions import lock_of, manifest_of, module_of
from nucleate_codifier import AdmissionPolicy, Decision
from nucleate_sandbox import (
    Call,
    Effect,
    Environment,
    Failure,
    Functions,
    FunctionSpec,
    Json,
    JsonObject,
    Limits,
    Lock,
    Module,
    Outcome,
    PackageError,
    Sandbox,
    SandboxError,
    canonical,
)
from nucleate_sandbox.arguments import problems
from nucleate_tool_library import Kept, ToolLibrary, ToolVersion

LOG = logging.getLogger(__name__)
INVALID = "InvalidArguments"
MOST_DONE, MOST_SHOWN = 5, 200  # calls that a failure names, and characters of their arguments
FAULTS = frozenset({INVALID, "UnknownFunction", "NotAllowed", "InvalidResult"})


@dataclass(frozen=True, kw_only=True)
class Ready:
    """A version with all that it calls, as the sandbox takes it."""

    module: Module
    manifest: frozenset[str]
    packages: Lock


class ToolRunner:
    """Runs tool versions in the sandbox, each guarded, with exactly its closure, manifest and packages."""

    def __init__(
        self,
        library: ToolLibrary,
        sandbox: Callable[[], Sandbox],
        *,
        limits: Limits,
        policy: AdmissionPolicy,
        only_judged: bool = False,
    ) -> None:
        self._library = library
        self._sandbox = sandbox
        self._limits = limits
        self._policy = policy
        self._only_judged = only_judged
        self._said = False
        self._ready: Kept[str, Ready] = Kept(library, self._read)  # a dependency may be gone after a change

    def run(self, version: ToolVersion, arguments: JsonObject, *, environment: Environment, path: str) -> Outcome:
        """Call a tool in a fresh process. An outage (SandboxError) and a call that was given up are no use of it."""
        target = {telemetry.TOOL: version.name, telemetry.TOOL_TYPE: "function", "nucleate.tool.path": path}
        with telemetry.span("execute_tool", {**target, "nucleate.tool.version": version.id}) as noted:
            noted.say(telemetry.ARGUMENTS, lambda: canonical(arguments))
            outcome = self.execute(version, arguments, environment)
            noted.say(telemetry.RESULT, lambda: canonical(outcome.value))
            error = outcome.error.kind if outcome.error is not None else None
            noted.set({telemetry.ERROR: error})
        if outcome.cancelled:
            return outcome
        self._library.record_invocation(
            version.id,
            ok=outcome.ok or was_refused(outcome),
            milliseconds=outcome.usage.seconds * 1000,
            calls=len(outcome.calls),
            path=path,
            error=error,
        )
        return outcome

    def execute(self, version: ToolVersion, arguments: JsonObject, environment: Environment) -> Outcome:
        """Call a tool without counting it as a use."""
        ready, sandbox = self._ready.get(version.id), self._sandbox()
        note = self._elsewhere(version, sandbox)
        functions = Functions.only(environment, ready.manifest)
        with sandbox.open(functions=functions, limits=self._limits, packages=ready.packages) as session:
            outcome = session.call(ready.module, version.name, arguments)
        return replace(with_what_was_done(outcome, environment.functions), note=note)

    def _elsewhere(self, version: ToolVersion, sandbox: Sandbox) -> str:
        """Say that a tool does not run where it was judged; SandboxError where the settings do not want that."""
        if sandbox.final or version.verdict.get("decision") != Decision.ADMITTED:
            return ""
        if self._only_judged:
            raise SandboxError(f"{version.name!r} was judged with Docker, which does not answer; start its engine")
        note = f"{version.name!r} was judged with Docker, which does not answer; it ran in the embedded sandbox"
        if not self._said:
            self._said = True
            LOG.warning("%s; NUCLEATE_WITHOUT_DOCKER=refuse refuses instead", note)
        return note

    def _read(self, version_id: str) -> Ready:
        closure = self._library.close([version_id])
        module = module_of(closure, self._policy)
        return Ready(module=module, manifest=manifest_of(closure), packages=_packages(closure))


def _packages(closure: Sequence[ToolVersion]) -> Lock:
    try:
        return lock_of(closure)
    except PackageError as error:
        raise ToolFailed(f"{closure[-1].name} cannot be called: {error}") from error


def with_what_was_done(outcome: Outcome, functions: Mapping[str, FunctionSpec]) -> Outcome:
    """Let the failure of a tool that had changed something say so: whoever called must not do it twice."""
    reads = {name for name, spec in functions.items() if spec.effect is Effect.READ}
    done = [_said(call) for call in outcome.calls if call.error is None and call.function not in reads]
    if outcome.failure is None or not done:
        return outcome
    more = "" if len(done) <= MOST_DONE else f" and {len(done) - MOST_DONE} more"
    message = f"{outcome.failure.message}; done before it failed: {', '.join(done[:MOST_DONE])}{more}"
    return replace(outcome, failure=replace(outcome.failure, message=message))


def _said(call: Call) -> str:
    arguments = canonical(call.arguments)
    return f"{call.function}({arguments if len(arguments) <= MOST_SHOWN else arguments[:MOST_SHOWN] + '…'})"


def unfit(version: ToolVersion, arguments: JsonObject) -> Failure | None:
    """Return what is wrong with arguments for a tool, by its signature; None where nothing is.

    It is looked at before anything runs, on every path: whoever calls wrongly says nothing about the tool.
    """
    wrong = problems(FunctionSpec(name=version.name, parameters=version.signature.parameters), arguments)
    if not wrong:
        return None
    return Failure(kind=INVALID, message=f"{version.name}: {'; '.join(wrong)}; the tool is {version.signature.text}")


def was_refused(outcome: Outcome) -> bool:
    """Return whether the environment refused what it was asked, as an unknown order: no fault of the tool.

    To ask for what the environment does not have, or in a way that its schema does not allow, is one.
    """
    failure = outcome.failure
    return failure is not None and failure.from_environment and failure.kind not in FAULTS


class CallableTool:
    """A tool bound to an environment: `tool(order_id="W1")` returns the value or raises ToolFailed.

    `outcome(...)` gives the whole outcome instead: value or failure, output, calls made, usage.
    """

    def __init__(self, version: ToolVersion, run: Callable[[ToolVersion, JsonObject], Outcome]) -> None:
        self.version = version
        self._run = run
        self.__name__ = version.name
        self.__doc__ = version.signature.doc
        self.__signature__ = _signature(version)

    def outcome(self, **arguments: Json) -> Outcome:
        """Call the tool; what it did is a value."""
        return self._run(self.version, dict(arguments))

    def __call__(self, **arguments: Json) -> Json:
        """Call the tool and return its value; raise ToolFailed if it ended with a failure or at a limit."""
        outcome = self.outcome(**arguments)
        if outcome.error is not None:
            raise ToolFailed(f"{self.version.name} ended with {outcome.error}")
        return outcome.value

    def __repr__(self) -> str:
        return f"<tool {self.version.signature.text}>"


def _signature(version: ToolVersion) -> inspect.Signature:
    schema = version.signature.parameters
    properties, required = schema.get("properties"), schema.get("required")
    names = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    return inspect.Signature([_parameter(name, item, name in needed) for name, item in names.items()])


def _parameter(name: str, schema: Json, required: bool) -> inspect.Parameter:
    fields: Mapping[str, Json] = schema if isinstance(schema, dict) else {}
    default = inspect.Parameter.empty if required else fields.get("default")
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
