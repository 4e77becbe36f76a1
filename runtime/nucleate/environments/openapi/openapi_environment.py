"""A service described by an OpenAPI document as an environment: each operation is a function, called over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

from nucleate.environments.described_functions import namespace_of
from nucleate.environments.effects import EffectName
from nucleate.environments.openapi.credentials import Credentials
from nucleate.environments.openapi.document import as_version_3, parsed
from nucleate.environments.openapi.http_answers import GONE, HttpAnswer, failure_of, names_itself, value_of
from nucleate.environments.openapi.openapi_values import Operation, Unreadable
from nucleate.environments.openapi.operations import read_operations
from nucleate.environments.openapi.requests import request_of
from nucleate.environments.openapi.wire import HttpLimits, HttpWire, Unreached, base_of
from nucleate.environments.secret_refs import Redactor, Secret
from nucleate.errors import InputInvalid
from nucleate_sandbox import Effect, EnvironmentUnavailable, FunctionError, FunctionSpec, Json, JsonObject
from nucleate_sandbox.arguments import problems

WRITTEN = ("json", "urlencoded", "xml", "yaml")  # the ends of the media that a JSON value can be written in


class OpenApiEnvironment:
    """The operations of a document (text, or the object that it is) at `base_url`, else at its first server.

    `secrets` names security schemes of the document, or says itself where a secret goes (`bearer`, `basic`,
    `header:NAME`, `query:NAME`); each is a reference. `effects` says what the methods do not. A service that cannot be
    reached is an EnvironmentUnavailable. Calls may come from several threads.
    """

    def __init__(
        self,
        name: str,
        document: str | bytes | JsonObject,
        *,
        base_url: str | None = None,
        secrets: Mapping[str, Secret] | None = None,
        effects: Mapping[str, EffectName] | None = None,
        limits: HttpLimits | None = None,
    ) -> None:
        content = as_version_3(document) if isinstance(document, dict) else parsed(document)
        self._name = name
        self._limits = limits or HttpLimits()
        self._credentials = Credentials(content, secrets or {})
        self._own_server = base_url is None
        self._wire = HttpWire(base_of(content, given=base_url), self._limits)
        self._operations: dict[str, Operation] = {}
        self._functions: dict[str, FunctionSpec] = {}
        self.unusable: dict[str, str] = {}
        for operation in read_operations(content):
            self._add(operation, effects or {})
        for unknown in (effects or {}).keys() - self._functions.keys():
            raise InputInvalid(f"effects names {unknown!r}, which is not a function of {name!r}")

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Send the request; return the answer's body, or raise FunctionError for arguments, status or answer."""
        redactor = self._credentials.redactor()
        try:
            answer = self._answer(name, arguments)
            if answer.status >= 400:
                raise failure_of(name, answer)
            return redactor.clean(value_of(name, answer, max_bytes=self._limits.max_bytes))
        except FunctionError as error:
            raise FunctionError(redactor.hide(error.message), kind=redactor.hide(error.kind)) from None
        except Unreached as error:
            raise self._unavailable(redactor, error) from None

    def fork(self) -> OpenApiEnvironment:
        """A service has one state, which nobody can copy."""
        raise FunctionError(f"environment {self._name!r} is a service: it cannot be copied", kind="CannotFork")

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, name: str, arguments: JsonObject) -> HttpAnswer:
        operation = self._operations.get(name)
        if operation is None:
            reason = self.unusable.get(name)
            why = f": {reason}" if reason else ""
            raise FunctionError(f"{self._name!r} has no function {name!r}{why}", kind="UnknownFunction")
        self._check(name, arguments)
        answer = self._wire.send(name, request_of(operation, arguments), self._credentials.sign(operation))
        if answer.status in GONE and not names_itself(answer):
            raise Unreached(f"it answered with status {answer.status}")
        return answer

    def _check(self, name: str, arguments: JsonObject) -> None:
        found = problems(self._functions[name], arguments)
        if found:
            raise FunctionError(f"{name}: {'; '.join(found)}", kind="InvalidArguments")

    def _add(self, operation: Operation | Unreadable, effects: Mapping[str, EffectName]) -> None:
        full = f"{namespace_of(self._name)}.{operation.name}"
        try:
            described = self._usable(operation)
        except ValueError as error:
            self.unusable[full] = str(error)
            return
        spec = described.spec(full)
        effect = effects.get(full)
        self._functions[full] = spec if effect is None else replace(spec, effect=Effect(effect))
        self._operations[full] = described

    def _usable(self, operation: Operation | Unreadable) -> Operation:
        """Return an operation that can be called; ValueError says why one cannot."""
        if isinstance(operation, Unreadable):
            raise ValueError(operation.reason)
        if operation.media and not operation.media.startswith("text/") and not operation.media.endswith(WRITTEN):
            raise ValueError(f"its body is {operation.media}, which is not supported")
        elsewhere = urljoin(f"{self._wire.base}/", operation.server)
        if self._own_server and operation.server and urlsplit(elsewhere)[:2] != urlsplit(self._wire.base)[:2]:
            raise ValueError(f"it is served at {operation.server!r}, another place than the others")
        return operation

    def _unavailable(self, redactor: Redactor, error: Unreached) -> EnvironmentUnavailable:
        reason = redactor.hide(str(error))
        return EnvironmentUnavailable(f"the service of {self._name!r} ({self._wire.base}) does not answer: {reason}")
