"""Credentials of an OpenAPI environment: put into a request at the last moment, hidden in whatever comes back."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from nucleate.environments.openapi.openapi_values import Operation, objects
from nucleate.environments.secret_refs import Redactor, Secret, read_secret
from nucleate.errors import InputInvalid
from nucleate_sandbox import JsonObject

Kind = Literal["header", "query", "cookie", "bearer", "basic"]
AD_HOC = "bearer, basic, header:NAME or query:NAME"


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """How one secret is sent; one that is not `named` by the document goes with every call."""

    kind: Kind
    name: str = ""
    named: bool = True


@dataclass(frozen=True, kw_only=True)
class Signed:
    """What is added to a request."""

    headers: Mapping[str, str]
    query: Mapping[str, str]


class Credentials:
    """Secrets by scheme: a name under the document's `securitySchemes`, or one that says itself where it goes.

    A `basic` secret is USER:PASSWORD. An operation gets the secrets of the first alternative of its `security` that
    are all known, and of no other.
    """

    def __init__(self, document: JsonObject, secrets: Mapping[str, Secret]) -> None:
        known = dict(_schemes(document))
        self._secrets = dict(secrets)
        self._schemes = {name: known.get(name) or _ad_hoc(name, known) for name in secrets}
        self.redactor()  # a secret that cannot be read is an error now

    def sign(self, operation: Operation) -> Signed:
        """Return what goes with a call of this operation."""
        headers: dict[str, str] = {}
        query: dict[str, str] = {}
        for name in self._for(operation):
            scheme, secret = self._schemes[name], read_secret(self._secrets[name])
            if scheme.kind == "query":
                query[scheme.name] = secret
            elif scheme.kind == "cookie":
                headers["cookie"] = f"{scheme.name}={secret}"
            else:
                headers[scheme.name or "authorization"] = _header(scheme, secret)
        return Signed(headers=headers, query=query)

    def redactor(self) -> Redactor:
        """Return what hides the secrets, as they are and as they are sent."""
        return Redactor(form for secret in self._secrets.values() for form in _forms(read_secret(secret)))

    def _for(self, operation: Operation) -> list[str]:
        always = [name for name, scheme in self._schemes.items() if not scheme.named]
        for alternative in operation.security:
            if alternative and all(name in self._schemes for name in alternative):
                return [*always, *alternative]
        return always


def _schemes(document: JsonObject) -> Iterator[tuple[str, Scheme]]:
    holder = document.get("components")
    for name, item in objects(holder.get("securitySchemes") if isinstance(holder, dict) else None):
        kind, way = str(item.get("type")).lower(), str(item.get("scheme")).lower()
        if kind == "apikey" and item.get("in") in ("header", "query", "cookie"):
            yield name, Scheme(kind=item["in"], name=str(item.get("name")))  # type: ignore[arg-type]
        elif kind == "http" and way == "basic":
            yield name, Scheme(kind="basic")
        else:  # OAuth and OpenID end in a bearer token too: getting one is not this environment's affair
            yield name, Scheme(kind="bearer")


def _ad_hoc(name: str, known: Mapping[str, Scheme]) -> Scheme:
    kind, _, field = name.partition(":")
    if name == "bearer":
        return Scheme(kind="bearer", named=False)
    if name == "basic":
        return Scheme(kind="basic", named=False)
    if field and kind == "header":
        return Scheme(kind="header", name=field, named=False)
    if field and kind == "query":
        return Scheme(kind="query", name=field, named=False)
    schemes = ", ".join(known) or "none"
    raise InputInvalid(f"{name!r} is no security scheme of the document (it has {schemes}), nor {AD_HOC}")


def _header(scheme: Scheme, secret: str) -> str:
    if scheme.kind == "bearer":
        return f"Bearer {secret}"
    return f"Basic {_encoded(secret)}" if scheme.kind == "basic" else secret


def _forms(secret: str) -> Iterator[str]:
    yield from (secret, _encoded(secret), quote(secret, safe=""))
    if ":" in secret:
        yield secret.partition(":")[2]


def _encoded(secret: str) -> str:
    return base64.b64encode(secret.encode()).decode()
