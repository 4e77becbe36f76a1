"""An OpenAPI 3 document as operations: what each takes, where it goes in a request, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from nucleate.environments.openapi.openapi_schemas import Components
from nucleate.environments.openapi.openapi_values import EFFECTS, Argument, Operation, Place, Unreadable, items, objects
from nucleate.environments.openapi.paging import pages_of, with_pages
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory.recordings.names import identifier

IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})  # the specification says so
_IN_PATH = re.compile(r"\{([^{}/]{1,200})\}")
STYLES = {"path": "simple", "query": "form", "header": "simple"}


class _Reader:
    """Reads the operations of one document. A later operation with a taken name is named by its path."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._components = Components(document)
        self._taken: set[str] = set()
        self._keys = _key_parameters(document)

    def read(self) -> Iterator[Operation | Unreadable]:
        for path, item in objects(self._document.get("paths")):
            try:
                whole = self._components.resolved(item)
            except ValueError as error:
                yield Unreadable(name=path, reason=str(error))
                continue
            for method, operation in objects(whole):
                if method in EFFECTS:
                    yield self._one(path, method, whole, operation)

    def _one(self, path: str, method: str, item: JsonObject, operation: JsonObject) -> Operation | Unreadable:
        name = self._name(path, method, operation)
        try:
            return self._operation(name, path, method, item, operation)
        except (ValueError, RecursionError) as error:
            return Unreadable(name=name, reason=str(error) or type(error).__name__)

    def _name(self, path: str, method: str, operation: JsonObject) -> str:
        given, placed = operation.get("operationId"), identifier(f"{method} {path}")
        names = [identifier(given) if isinstance(given, str) else placed, placed]
        number = 2
        while names[0] in self._taken:
            names = names[1:] or [f"{placed}_{(number := number + 1) - 1}"]
        self._taken.add(names[0])
        return names[0]

    def _operation(self, name: str, path: str, method: str, item: JsonObject, operation: JsonObject) -> Operation:
        found = self._parameters(item, operation)
        found = (*found, *self._undeclared(path, found))
        body, media = self._body(operation, {argument.name for argument in found})
        arguments = (*found, *body)
        returns = self._components.closed(_returns(operation, self._components))
        pages = pages_of([argument.name for argument in arguments], returns)
        words = [operation.get(key) for key in ("summary", "description")]
        doc = next((word for word in words if isinstance(word, str) and word), "")
        return Operation(
            name=name,
            doc=with_pages(doc, pages),
            method=method.upper(),
            path=path,
            arguments=arguments,
            media=media,
            parameters=self._components.closed(_schema(arguments)),
            returns={**returns, "x-pages": pages} if pages else returns,
            effect=EFFECTS[method],
            security=_security(self._document, operation),
            server=_server(item, operation),
        )

    def _parameters(self, item: JsonObject, operation: JsonObject) -> tuple[Argument, ...]:
        """Return the parameters of path, query and header; those of the operation replace the path's."""
        found: dict[tuple[str, str], JsonObject] = {}
        for parameter in [*items(item.get("parameters")), *items(operation.get("parameters"))]:
            try:
                known = self._components.resolved(parameter)
            except ValueError:  # a reference that leads nowhere costs the parameter
                continue
            place, wire = str(known.get("in")), str(known.get("name", ""))
            if place in STYLES and (place, wire) not in self._keys and not _ignored(place, wire):
                found[place, wire] = known
        arguments: list[Argument] = []
        for (place, wire), known in found.items():
            taken = {argument.name for argument in arguments}
            arguments.append(self._parameter(cast("Place", place), wire, known, taken))
        return tuple(arguments)

    def _undeclared(self, path: str, found: tuple[Argument, ...]) -> tuple[Argument, ...]:
        """Return the parts of a path that no parameter declares: without them the operation cannot be called."""
        wires = [wire for wire in dict.fromkeys(_IN_PATH.findall(path)) if ("path", wire) not in self._keys]
        known, taken = {a.wire for a in found if a.place == "path"}, {a.name for a in found}
        return tuple(self._parameter("path", wire, {}, taken) for wire in wires if wire not in known)

    def _parameter(self, place: Place, wire: str, known: JsonObject, taken: set[str]) -> Argument:
        name = identifier(wire)
        style = known.get("style", STYLES[place])
        words = known.get("description")
        described: JsonObject = {"description": words} if isinstance(words, str) else {}
        return Argument(
            name=name if name not in taken else f"{name}_{place}",
            wire=wire,
            place=place,
            schema={**self._components.schema(_schema_of(known)), **described},
            required=known.get("required") is True or place == "path",
            style=str(style),
            explode=known.get("explode", style == "form") is True,
            reserved=known.get("allowReserved") is True,
            json="schema" not in known and bool(known.get("content")),
        )

    def _body(self, operation: JsonObject, taken: set[str]) -> tuple[tuple[Argument, ...], str]:
        """Return the fields of the body as arguments; one without any, or whose names clash, is the argument `body`."""
        try:
            body = self._components.resolved(operation.get("requestBody"))
        except ValueError:  # nobody can say what it is: any JSON
            body = {"content": {"application/json": {}}}
        media = _media(body)
        if not media:
            return (), ""
        plain = self._components.schema(_schema_of(body))
        needed = body.get("required") is True
        whole = self._components.whole(_schema_of(body))
        fields = [*objects(whole.get("properties"))]
        names = [identifier(key) for key, _ in fields]
        if (
            not fields
            or taken & set(names)
            or len(set(names)) < len(names)
            or not media.endswith(("json", "urlencoded"))
        ):
            name = "body" if "body" not in taken else "body_"
            return (Argument(name=name, wire="", place="body", schema=plain, required=needed),), media
        required = items(whole.get("required"))
        arguments = [
            Argument(name=name, wire=key, place="field", schema=schema, required=needed and key in required)
            for name, (key, schema) in zip(names, fields, strict=True)
            if schema.get("readOnly") is not True
        ]
        return tuple(arguments), media


def read_operations(document: JsonObject) -> Iterator[Operation | Unreadable]:
    """Yield every operation of a document, or why it cannot be read."""
    return _Reader(document).read()


def _schema(arguments: Sequence[Argument]) -> JsonObject:
    properties: JsonObject = {argument.name: argument.schema for argument in arguments}
    required: list[Json] = [argument.name for argument in arguments if argument.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _ignored(place: str, wire: str) -> bool:
    return place == "header" and wire.lower() in IGNORED_HEADERS


def _key_parameters(document: JsonObject) -> set[tuple[str, str]]:
    """Return where keys of the document's security schemes go: they are no arguments, whoever lists them there."""
    holder = document.get("components")
    schemes = holder.get("securitySchemes") if isinstance(holder, dict) else None
    return {
        (str(scheme.get("in")), str(scheme.get("name")))
        for _, scheme in objects(schemes)
        if scheme.get("type") == "apiKey"
    }


def _security(document: JsonObject, operation: JsonObject) -> tuple[tuple[str, ...], ...]:
    alternatives = items(operation.get("security", document.get("security")))
    return tuple(tuple(item) for item in alternatives if isinstance(item, dict))


def _server(item: JsonObject, operation: JsonObject) -> str:
    for holder in (operation, item):
        for _, server in enumerate(items(holder.get("servers"))):
            url = server.get("url") if isinstance(server, dict) else None
            if isinstance(url, str):
                return url
    return ""


def _returns(operation: JsonObject, components: Components) -> JsonObject:
    """Return the schema of the first answer that is a success; {} (anything) where none is described."""
    answers = dict(objects(operation.get("responses")))
    good = sorted(code for code in answers if code.startswith("2")) + [code for code in answers if code == "default"]
    for code in good:
        try:
            schema = components.schema(_schema_of(components.resolved(answers[code])))
        except ValueError:
            continue
        if schema:
            return schema
        if code == "204":
            return {"type": "null"}
    return {}


def _media(holder: JsonObject) -> str:
    """Return the medium to write a body in: JSON where there is a choice, then a form."""
    media = [name for name, _ in objects(holder.get("content"))]
    preferred = sorted(media, key=lambda name: ("json" not in name, "urlencoded" not in name, name))
    return preferred[0].partition(";")[0].strip().lower() if preferred else ""


def _schema_of(holder: JsonObject) -> JsonObject:
    """Return the schema that a parameter, a body or an answer holds, for JSON where there are several media."""
    schema = holder.get("schema")
    if isinstance(schema, dict):
        return schema
    media = dict(objects(holder.get("content")))
    first = sorted(media, key=lambda name: ("json" not in name, "urlencoded" not in name, name))
    found = media[first[0]].get("schema") if first else None
    return found if isinstance(found, dict) else {}
