"""A service with an OpenAPI document as the environment: learned from, called, and its secret kept out of everything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from nucleate import Runtime, Settings
from nucleate.environments import OpenApiEnvironment
from nucleate_sandbox import Call
from nucleate_tool_library import State
from tests.runtime.environments.http_servers import served

SECRET = "open-sesame-1234"
PEOPLE = ("ada", "bo", "cy", "di", "ed", "fay", "gus")
DOCUMENT = """
openapi: 3.1.0
info: {title: Orders, version: "1"}
security: [{key: []}]
paths:
  /customers:
    get:
      operationId: findCustomer
      summary: Find a customer by email.
      parameters:
        - {name: email, in: query, required: true, schema: {type: string}}
        - {name: cursor, in: query, schema: {type: string}}
      responses:
        "200":
          content:
            application/json:
              schema:
                type: object
                required: [id]
                properties: {id: {type: string}, next_cursor: {type: string}, seen: {type: string}}
  /customers/{id}/orders:
    get:
      operationId: listOrders
      summary: List a customer's orders.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          content:
            application/json:
              schema:
                type: object
                required: [orders]
                properties: {orders: {type: array, items: {$ref: "#/components/schemas/Order"}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Api-Key}}
  schemas:
    Order:
      type: object
      required: [number, total]
      properties: {number: {type: integer}, total: {type: number}}
"""


async def shop(scope: Any, receive: Any, send: Any) -> None:
    """Answer as the document says; the first operation also tells the key that it was sent."""
    if scope["type"] != "http":
        return
    await receive()
    path, query = scope["path"], parse_qs(scope["query_string"].decode())
    if path == "/customers":
        number = PEOPLE.index(query["email"][0].partition("@")[0])
        key = dict(scope["headers"])[b"x-api-key"].decode()
        body: Any = {"id": f"C-{100 + 7 * number}", "seen": f"key {key}"}
    else:
        number = int(path.split("/")[2].removeprefix("C-"))
        orders = [{"number": 10 * number + line, "total": number / 4 + line} for line in range(1 + number % 3)]
        body = {"orders": orders}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})


@pytest.mark.docker
@pytest.mark.slow
def test_a_tool_is_learned_from_a_service_and_its_secret_reaches_nothing_that_is_kept(tmp_path: Path) -> None:
    file, key = tmp_path / "orders.db", tmp_path / "key"
    key.write_text(SECRET, encoding="utf-8")
    settings = Settings(database=str(file), worker="inline", codifier="trace")
    with served(shop) as port:
        orders = OpenApiEnvironment(
            "orders", DOCUMENT, base_url=f"http://127.0.0.1:{port}", secrets={"key": f"file:{key}"}
        )
        with orders, Runtime(settings=settings) as runtime:
            for person in PEOPLE[:6]:
                with runtime.record(f"What has {person}@shop.test ordered?", orders) as run:
                    customer = run.call("orders.findCustomer", {"email": f"{person}@shop.test"})
                    assert isinstance(customer, dict)
                    assert customer["seen"] == "key [secret]"
                    run.call("orders.listOrders", {"id": customer["id"]})
                    run.finish(success=True)
            (tool,) = runtime.library.tools(scope="orders")
            assert tool.state is State.ACTIVE
            outcome = runtime.call(tool.name, {"email": "gus@shop.test"}, orders)
    assert outcome.value == {"orders": [{"number": 1420, "total": 35.5}, {"number": 1421, "total": 36.5}]}
    assert outcome.calls == (
        Call(
            function="orders.findCustomer",
            arguments={"email": "gus@shop.test"},
            result={"id": "C-142", "seen": "key [secret]"},
        ),
        Call(function="orders.listOrders", arguments={"id": "C-142"}, result=outcome.value),
    )
    for kept in tmp_path.glob("orders.db*"):
        assert SECRET.encode() not in kept.read_bytes()
