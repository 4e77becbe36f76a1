"""OpenAPI documents as functions: operations, their arguments, results and effects."""

from __future__ import annotations

import json

import pytest

from nucleate.environments import FunctionsFileError, read_functions
from nucleate_sandbox import Effect, JsonObject

PETS = """
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets/{petId}:
    parameters:
      - {name: petId, in: path, required: true, description: Which one., schema: {type: integer}}
    get:
      operationId: getPet
      summary: Look up a pet.
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    delete:
      responses: {204: {description: gone}}
  /pets:
    post:
      operationId: create-pet
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
      responses: {default: {description: ok}}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string}
        born: {type: string, format: date, nullable: true, example: 2020-01-01}
        weight: {type: number, minimum: 0, exclusiveMinimum: true}
        example: {type: boolean}
"""
PET: JsonObject = {
    "name": {"type": "string"},
    "born": {"type": ["string", "null"], "format": "date"},
    "weight": {"type": "number", "exclusiveMinimum": 0},
    "example": {"type": "boolean"},
}


def test_operations_become_functions_with_effects_from_their_methods() -> None:
    functions = read_functions(PETS, environment="zoo").functions
    assert {name: spec.effect for name, spec in functions.items()} == {
        "zoo.getPet": Effect.READ,
        "zoo.delete_pets_petId": Effect.DESTRUCTIVE,
        "zoo.create_pet": Effect.WRITE,
    }
    assert functions["zoo.getPet"].doc == "Look up a pet."


def test_parameters_of_the_path_and_fields_of_the_body_become_arguments() -> None:
    functions = read_functions(PETS, environment="zoo").functions
    assert functions["zoo.getPet"].parameters == {
        "type": "object",
        "properties": {"petId": {"type": "integer", "description": "Which one."}},
        "required": ["petId"],
        "additionalProperties": False,
    }
    assert functions["zoo.create_pet"].parameters["properties"] == PET
    assert functions["zoo.create_pet"].parameters["required"] == ["name"]


def test_results_are_schemas_in_one_piece() -> None:
    functions = read_functions(PETS, environment="zoo").functions
    assert functions["zoo.getPet"].returns == {"type": "object", "required": ["name"], "properties": PET}
    assert functions["zoo.delete_pets_petId"].returns == {"type": "null"}
    assert functions["zoo.create_pet"].returns == {}


def test_a_recursive_schema_keeps_its_references() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/first": {"get": {"responses": {"200": answer}}}},
        "components": {"schemas": {"Node": node}},
    }
    returns = read_functions(json.dumps(document)).functions["tools.get_first"].returns
    assert returns["$ref"] == "#/$defs/Node"
    assert returns["$defs"] == {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}


def test_a_body_that_shares_a_name_with_a_parameter_stays_whole() -> None:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}}}}
    operation = {"parameters": [{"name": "id", "in": "query", "schema": {"type": "integer"}}], "requestBody": body}
    document = {"openapi": "3.1.0", "paths": {"/x": {"post": operation}}}
    properties = read_functions(json.dumps(document)).functions["tools.post_x"].parameters["properties"]
    assert properties == {
        "id": {"type": "integer"},
        "body": {"type": "object", "properties": {"id": {"type": "string"}}},
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "openapi: 3.1.0\na: &a [1, 1]\n"
            + "".join(f"{chr(i + 1)}: &{chr(i + 1)} [{', '.join(['*' + chr(i)] * 20)}]\n" for i in range(97, 105)),
            "an OpenAPI document",
        ),
        ("openapi: !!python/name:os.system 3", "an OpenAPI document"),
        ("swagger: '1.2'", "an OpenAPI document"),
    ],
)
def test_what_cannot_be_read_is_one_clear_error(text: str, says: str) -> None:
    with pytest.raises(FunctionsFileError, match=says):
        read_functions(text)
