"""An OpenAPI document with every way to give a parameter, nested references, a cycle, and traps."""

from __future__ import annotations

from typing import Any

DOCUMENT_3_1 = """
openapi: 3.1.0
info: {title: Shop, version: "1"}
servers: [{url: "http://{host}/v1", variables: {host: {default: shop.example}}}]
security: [{key: []}]
paths:
  /items/{id}:
    parameters: [{$ref: "#/components/parameters/Id"}]
    get:
      operationId: getItem
      summary: Look up an item.
      responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}}
    delete:
      operationId: deleteItem
      responses: {"204": {description: gone}}
    patch:
      operationId: patchItem
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}
      responses: {}
  /matrix/{ids}:
    get:
      operationId: matrix
      parameters:
        - {name: ids, in: path, required: true, style: matrix, explode: true, schema: {type: array}}
      responses: {}
  /label/{ids}:
    get:
      operationId: label
      parameters: [{name: ids, in: path, required: true, style: label, schema: {type: array}}]
      responses: {}
  /search:
    get:
      operationId: search
      summary: Search.
      parameters:
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: words, in: query, style: spaceDelimited, explode: false, schema: {type: array}}
        - {name: bars, in: query, style: pipeDelimited, explode: false, schema: {type: array}}
        - {name: filter, in: query, style: deepObject, explode: true, schema: {type: object}}
        - {name: where, in: query, schema: {type: object}}
        - {name: json, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: color, in: query, schema: {enum: [red, blue, null]}}
        - {name: open, in: query, schema: {type: boolean}}
        - {name: from, in: query, schema: {type: [string, "null"], format: date}}
        - {name: callback, in: query, allowReserved: true, schema: {type: string}}
        - {name: X-Trace, in: header, schema: {type: array, items: {type: string}}}
        - {name: Authorization, in: header, schema: {type: string}}
        - {name: X-Api-Key, in: header, schema: {type: string}}
        - {name: cursor, in: query, schema: {type: string}}
      responses:
        "200":
          content:
            application/json:
              schema:
                type: object
                properties:
                  meta: {type: object, properties: {next_cursor: {type: string}, has_more: {type: boolean}}}
  /orders:
    post:
      operationId: placeOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [items, class, id]
              properties:
                id: {type: integer, readOnly: true}
                class: {type: string}
                items: {type: array, items: {$ref: "#/components/schemas/Item"}}
      responses: {}
    put:
      operationId: replaceOrders
      requestBody: {content: {application/json: {schema: {type: array, items: {type: integer}}}}}
      responses: {}
  /login:
    post:
      operationId: login
      security: [{}, {basic: []}]
      requestBody:
        content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {}, b: {type: array}}}}}
      responses: {}
  /note:
    post:
      operationId: note
      security: [{token: []}]
      requestBody: {required: true, content: {text/plain: {schema: {type: string}}}}
      responses: {}
  /upload:
    post:
      operationId: upload
      requestBody: {content: {multipart/form-data: {schema: {type: object}}}}
      responses: {}
  /picture:
    put:
      operationId: putPicture
      requestBody: {content: {image/png: {schema: {type: string, format: binary}}}}
      responses: {}
  /twice:
    get: {operationId: getItem, responses: {}}
  /tree:
    get:
      operationId: tree
      responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Tree"}}}}}
  /lost:
    get:
      operationId: lost
      parameters: [{$ref: "#/components/parameters/Lost"}]
      responses: {}
  /endless:
    get:
      operationId: endless
      parameters: [{$ref: "#/components/parameters/Endless"}]
      responses: {}
  /elsewhere:
    get: {operationId: elsewhere, servers: [{url: "https://evil.example/v1"}], responses: {}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Api-Key}
    basic: {type: http, scheme: basic}
    token: {type: oauth2}
  parameters:
    Id: {name: id, in: path, required: true, schema: {$ref: "#/components/schemas/Id"}}
    Endless: {$ref: "#/components/parameters/Endless"}
  schemas:
    Id: {type: string}
    Item:
      type: object
      required: [id]
      properties:
        id: {$ref: "#/components/schemas/Id"}
        price: {$ref: "#/components/schemas/Price"}
    Price: {type: object, properties: {amount: {type: number}, currency: {enum: [EUR, USD]}}}
    Tree: {type: object, properties: {children: {type: array, items: {$ref: "#/components/schemas/Tree"}}}}
"""

DOCUMENT_3_0: dict[str, Any] = {
    "openapi": "3.0.3",
    "paths": {
        "/old": {
            "get": {
                "operationId": "old",
                "parameters": [
                    {"name": "note", "in": "query", "schema": {"type": "string", "nullable": True}},
                    {"name": "size", "in": "query", "schema": {"type": "integer", "nullable": True, "enum": [1, None]}},
                    {"name": "page", "in": "query", "schema": {"type": "integer"}},
                ],
                "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}}},
            }
        }
    },
}


def simple(*words: str, method: str = "get") -> dict[str, Any]:
    """Return a document with one operation for each path of one word."""
    return {"openapi": "3.1.0", "paths": {f"/{word}": {method: {"responses": {}}} for word in words}}
