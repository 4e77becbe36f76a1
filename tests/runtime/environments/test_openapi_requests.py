"""Arguments of OpenAPI operations as a server gets them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from nucleate.environments import OpenApiEnvironment
from nucleate_sandbox import Effect, FunctionError
from tests.runtime.environments.http_servers import served
from tests.runtime.environments.service import Service
from tests.runtime.environments.shop_api import DOCUMENT_3_0, DOCUMENT_3_1, simple


@pytest.fixture(scope="module")
def shop() -> Iterator[OpenApiEnvironment]:
    with (
        served(Service()) as port,
        OpenApiEnvironment("shop", DOCUMENT_3_1, base_url=f"http://127.0.0.1:{port}/v1") as environment,
    ):
        yield environment


def sent(shop: OpenApiEnvironment, name: str, **arguments: Any) -> dict[str, Any]:
    answer = shop.call(f"shop.{name}", arguments)
    assert isinstance(answer, dict)
    return answer


def test_operations_are_functions_and_what_cannot_be_one_is_named_with_the_reason(shop: OpenApiEnvironment) -> None:
    assert {name.removeprefix("shop."): str(spec.effect) for name, spec in shop.functions.items()} == {
        "getItem": "read",
        "deleteItem": "destructive",
        "patchItem": "write",
        "matrix": "read",
        "label": "read",
        "search": "read",
        "placeOrder": "write",
        "replaceOrders": "write",
        "login": "write",
        "note": "write",
        "get_twice": "read",
        "tree": "read",
        "lost": "read",  # a reference that leads nowhere costs itself
        "endless": "read",
        "elsewhere": "read",  # with a base URL of the user's, the document's other addresses do not count
    }
    assert shop.unusable == {
        "shop.upload": "its body is multipart/form-data, which is not supported",
        "shop.putPicture": "its body is image/png, which is not supported",
    }


def test_references_are_written_out_and_cycles_kept(shop: OpenApiEnvironment) -> None:
    price = {"type": "object", "properties": {"amount": {"type": "number"}, "currency": {"enum": ["EUR", "USD"]}}}
    item = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "price": price}}
    assert shop.functions["shop.getItem"].returns == item
    assert shop.functions["shop.tree"].returns["$ref"] == "#/$defs/Tree"


def test_schemas_that_share_each_other_are_not_written_out_for_ever() -> None:
    names = [f"S{number}" for number in range(40)]
    schemas: dict[str, Any] = {
        name: {"type": "object", "properties": {key: {"$ref": f"#/components/schemas/{below}"} for key in "abc"}}
        for name, below in itertools.pairwise(names)
    }
    schemas[names[-1]] = {"type": "string"}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
    document: dict[str, Any] = simple("deep")
    document["paths"]["/deep"]["get"]["responses"] = {"200": {"content": content}}
    document["components"] = {"schemas": schemas}
    with OpenApiEnvironment("deep", document, base_url="http://127.0.0.1:9") as deep:
        returns = deep.functions["deep.get_deep"].returns
    assert (returns["$ref"], set(returns["$defs"])) == ("#/$defs/S0", set(names))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("identity", "path"),
    [("pen", "/v1/items/pen"), ("a/b?c", "/v1/items/a%2Fb%3Fc"), ("Grüße %2e", "/v1/items/Gr%C3%BC%C3%9Fe%20%252e")],
)
def test_a_value_stays_one_part_of_the_path(shop: OpenApiEnvironment, identity: str, path: str) -> None:
    assert sent(shop, "getItem", id=identity)["path"] == path


@pytest.mark.parametrize("identity", ["", ".", ".."])
def test_a_value_that_would_lead_elsewhere_in_the_path_is_refused(shop: OpenApiEnvironment, identity: str) -> None:
    with pytest.raises(FunctionError, match="cannot be a part of a path") as caught:
        shop.call("shop.getItem", {"id": identity})
    assert caught.value.kind == "InvalidArguments"


def test_matrix_and_label_styles(shop: OpenApiEnvironment) -> None:
    assert sent(shop, "matrix", ids=[1, "b"])["path"] == "/v1/matrix/;ids=1;ids=b"
    assert sent(shop, "label", ids=[1, "b"])["path"] == "/v1/label/.1,b"


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        ({"tags": ["a b", "c&d"]}, "tags=a%20b&tags=c%26d"),
        ({"tags": []}, ""),
        ({"ids": [1, 2]}, "ids=1,2"),
        ({"words": ["a", "b"]}, "words=a%20b"),
        ({"bars": ["a", "b"]}, "bars=a|b"),
        ({"filter": {"min": 1, "in stock": True}}, "filter[min]=1&filter[in%20stock]=true"),
        ({"where": {"a": 1, "b": "x"}}, "a=1&b=x"),
        ({"json": {"b": [1], "a": None}}, "json=%7B%22a%22%3Anull%2C%22b%22%3A%5B1%5D%7D"),
        ({"color": "red", "open": False}, "color=red&open=false"),
        ({"color": None}, ""),
        ({"from_": "2026-01-01"}, "from=2026-01-01"),
        ({"callback": "https://a.example/?x=1"}, "callback=https://a.example/?x=1"),
    ],
)
def test_query_parameters_are_written_in_their_style(
    shop: OpenApiEnvironment, arguments: dict[str, Any], query: str
) -> None:
    assert sent(shop, "search", **arguments)["query"] == query


def test_a_header_is_an_argument_and_keys_are_none(shop: OpenApiEnvironment) -> None:
    properties = shop.functions["shop.search"].parameters["properties"]
    assert isinstance(properties, dict)
    assert "X_Trace" in properties
    assert not {"Authorization", "X_Api_Key"} & properties.keys()
    assert sent(shop, "search", X_Trace=["a", "b"])["headers"]["x-trace"] == "a,b"


def test_a_header_with_a_line_break_is_refused(shop: OpenApiEnvironment) -> None:
    with pytest.raises(FunctionError, match="cannot stand in a header"):
        shop.call("shop.search", {"X_Trace": ["a\r\nx-evil: 1"]})


def test_fields_of_a_body_are_arguments_without_those_that_only_come_back(shop: OpenApiEnvironment) -> None:
    assert shop.functions["shop.placeOrder"].parameters["required"] == ["class_", "items"]
    request = sent(shop, "placeOrder", class_="a", items=[{"id": "x"}])
    assert json.loads(request["body"]) == {"class": "a", "items": [{"id": "x"}]}
    assert request["headers"]["content-type"] == "application/json"


def test_a_body_that_is_no_object_or_shares_names_is_one_argument(shop: OpenApiEnvironment) -> None:
    assert json.loads(sent(shop, "replaceOrders", body=[1, 2])["body"]) == [1, 2]
    assert json.loads(sent(shop, "patchItem", id="7", body={"id": "8"})["body"]) == {"id": "8"}
    assert sent(shop, "note", body="a\nb")["body"] == "a\nb"


def test_a_form_is_written_as_one(shop: OpenApiEnvironment) -> None:
    request = sent(shop, "login", a="x y", b=[1, 2])
    assert (request["body"], request["headers"]["content-type"]) == (
        "a=x+y&b=1&b=2",
        "application/x-www-form-urlencoded",
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"colour": "red"}, "shop.search: 'colour' is not an argument; did you mean 'color'?"),
        ({"color": "green"}, "shop.search: color: 'green' is not one of ['red', 'blue', None]"),
        ({"ids": ["x"]}, "shop.search: ids[0]: 'x' is not of type 'integer'"),
    ],
)
def test_arguments_are_checked_before_anything_is_sent(
    shop: OpenApiEnvironment, arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises(FunctionError) as caught:
        shop.call("shop.search", arguments)
    assert (caught.value.kind, caught.value.message) == ("InvalidArguments", says)


def test_pages_are_hinted_at_in_words_and_in_the_result(shop: OpenApiEnvironment) -> None:
    spec = shop.functions["shop.search"]
    assert spec.doc == (
        "Search. Answers come in pages: give `cursor` for the next one, from `meta.next_cursor` of the answer, "
        "as long as `meta.has_more` is true."
    )
    assert spec.returns["x-pages"] == {"argument": "cursor", "field": "meta.next_cursor", "more": "meta.has_more"}


def test_documents_of_3_0_say_null_in_their_own_way() -> None:
    with served(Service()) as port, OpenApiEnvironment("old", DOCUMENT_3_0, base_url=f"http://127.0.0.1:{port}") as old:
        spec = old.functions["old.old"]
        assert spec.effect is Effect.READ
        assert spec.parameters["properties"] == {
            "note": {"type": ["string", "null"]},
            "size": {"anyOf": [{"type": "integer", "enum": [1, None]}, {"type": "null"}]},
            "page": {"type": "integer"},
        }
        assert spec.doc == "Answers come in pages: give `page` for the next one."
        answer = old.call("old.old", {"note": None, "size": None, "page": 2})
        assert isinstance(answer, dict)
        assert answer["query"] == "page=2"
