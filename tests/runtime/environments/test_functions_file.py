"""Files that describe functions: Nucleate's own form, OpenAI tools, and texts that are neither."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate.environments import FunctionsFile, FunctionsFileError, read_functions
from nucleate_sandbox import Effect, FunctionSpec

PARAMETERS = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


def file_with(**function: Any) -> str:
    return json.dumps({"environment": "desk", "functions": [{"name": "tickets.get", **function}]})


def test_a_functions_file_gives_the_environment_and_its_functions() -> None:
    text = file_with(doc="Get a ticket.", parameters=PARAMETERS, returns={"type": "object"}, effect="read")

    assert read_functions(text) == FunctionsFile(
        environment="desk",
        functions={
            "tickets.get": FunctionSpec(
                name="tickets.get",
                doc="Get a ticket.",
                parameters=PARAMETERS,  # type: ignore[arg-type]
                returns={"type": "object"},
                effect=Effect.READ,
            )
        },
    )


def test_what_a_function_does_not_say_is_anything_and_write() -> None:
    assert read_functions(file_with()).functions == {"tickets.get": FunctionSpec(name="tickets.get")}


def test_openai_tools_get_the_environment_as_their_namespace() -> None:
    tool = {"type": "function", "function": {"name": "get_user", "description": "Get it.", "parameters": PARAMETERS}}

    read = read_functions(json.dumps([tool]), environment="tau-airline")

    assert read.environment == "tau-airline"
    assert [(spec.name, spec.doc) for spec in read.functions.values()] == [("tau_airline.get_user", "Get it.")]


def test_a_request_body_with_tools_and_bare_function_objects_are_read_too() -> None:
    read = read_functions(json.dumps({"model": "m", "tools": [{"name": "a"}, {"name": "b.c"}]}))

    assert (read.environment, list(read.functions)) == ("tools", ["tools.a", "b.c"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a functions file: Expecting property name"),
        ('{"a": 1, "a": 2}', "an object has a key twice"),
        ("3", 'not a functions file; expected {"environment": NAME, "functions": [...]}, a list of OpenAI'),
        ('{"environment": "", "functions": []}', "not a functions file; expected"),
        ("[7]", "function 1: 7 is not an object with a name"),
        ("[{}]", "function 1: name is None; expected a text"),
        ('[{"name": "a b"}]', "function 1: name 'a b' is not `namespace.function`; use letters, digits and _"),
        ('[{"name": "a.b.c"}]', "function 1: name 'a.b.c' is not `namespace.function`"),
        ('[{"name": "a"}, {"name": "tools.a"}]', "function 2: the name 'tools.a' occurs twice; rename one of them"),
        (file_with(doc=4), "function 1 ('tickets.get'): doc is 4; expected a text"),
        (file_with(effect="maybe"), "effect 'maybe' is unknown; one of read, write, destructive"),
        (file_with(effect=["read"]), "effect ['read'] is unknown; one of read, write, destructive"),
        (file_with(parameters=[1]), "parameters is not a JSON schema: [1] is not an object"),
        (file_with(parameters={"type": "array"}), "parameters is of type 'array'; arguments have names"),
        (file_with(returns="text"), "returns is not a JSON schema: 'text' is not an object"),
    ],
)
def test_a_text_that_is_no_functions_file_is_refused_with_the_place_and_the_reason(text: str, message: str) -> None:
    with pytest.raises(FunctionsFileError) as caught:
        read_functions(text)

    assert message in str(caught.value)
