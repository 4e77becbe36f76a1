"""What an OpenAPI service answers: values, errors with a kind, outages, retries, redirects, bounds; secrets stay in."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nucleate import InputInvalid
from nucleate.environments import HttpLimits, OpenApiEnvironment
from nucleate_sandbox import EnvironmentUnavailable, FunctionError, Json
from tests.runtime.environments.http_servers import served
from tests.runtime.environments.service import Service
from tests.runtime.environments.shop_api import DOCUMENT_3_1, simple

SECRET = "open sesame/7"


@contextmanager
def reached(
    service: Service, document: Any, *, pauses: list[float] | None = None, max_bytes: int = 1 << 20, **more: Any
) -> Iterator[OpenApiEnvironment]:
    waited: list[float] = [] if pauses is None else pauses
    limits = HttpLimits(seconds=30.0, max_bytes=max_bytes, pause=waited.append)
    with served(service) as port:
        service.port = port
        address = f"http://127.0.0.1:{port}/v1"
        with OpenApiEnvironment("shop", document, base_url=address, limits=limits, **more) as environment:
            yield environment


def failure(environment: OpenApiEnvironment, name: str) -> tuple[str, str]:
    with pytest.raises(FunctionError) as caught:
        environment.call(name, {})
    return caught.value.kind, caught.value.message


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("problem", "OutOfStock", "409 no pens left"),
        ("titled", "OrderClosed", "422 order 7 is closed"),
        ("coded", "RateLimited", "400 too fast"),
        ("plain-404", "NotFound", "404 nothing here"),
        ("broken", "ServerError", "500 <h1>oops</h1>"),
        ("named-503", "ClosedForToday", "503"),
    ],
)
def test_a_status_of_400_and_above_is_an_error_with_a_kind(word: str, kind: str, message: str) -> None:
    with reached(Service(), simple(word)) as shop:
        (name,) = shop.functions
        assert failure(shop, name) == (kind, f"{name}: {message}")


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("empty", None),
        ("text", "Grüße"),
        (
            "picture",
            {
                "type": "image/png",
                "bytes": 4,
                "sha256": "0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543",
            },
        ),
    ],
)
def test_answers_that_are_no_json_are_null_text_or_a_reference(word: str, value: Json) -> None:
    with reached(Service(), simple(word)) as shop:
        assert shop.call(f"shop.get_{word}", {}) == value


def test_what_is_said_to_be_json_and_is_none_is_an_invalid_result() -> None:
    with reached(Service(), simple("broken-json")) as shop:
        assert failure(shop, "shop.get_broken_json") == (
            "InvalidResult",
            "shop.get_broken_json: the answer is not JSON: NaN is not JSON",
        )


def test_an_answer_beyond_the_bound_is_an_error() -> None:
    with reached(Service(), simple("big"), max_bytes=100_000) as shop:
        assert failure(shop, "shop.get_big")[0] == "ResultTooLarge"


def test_what_only_reads_is_tried_again_after_the_pause_that_the_server_asks_for() -> None:
    service, pauses = Service(), list[float]()
    with reached(service, simple("flaky"), pauses=pauses) as shop:
        assert shop.call("shop.get_flaky", {})
    assert (len(service.requests), pauses) == (3, [1.0, 1.0])


def test_what_writes_is_sent_once() -> None:
    service, pauses = Service(), list[float]()
    with (
        reached(service, simple("gone-for-writes", method="post"), pauses=pauses) as shop,
        pytest.raises(EnvironmentUnavailable),
    ):
        shop.call("shop.post_gone_for_writes", {})
    assert (len(service.requests), pauses) == (1, [])


def test_a_service_that_stays_away_is_an_outage() -> None:
    pauses = list[float]()
    says = r"the service of 'shop' \(http://127.0.0.1:\d+/v1\) does not answer: it answered with status 503"
    with reached(Service(), simple("down"), pauses=pauses) as shop, pytest.raises(EnvironmentUnavailable, match=says):
        shop.call("shop.get_down", {})
    assert pauses == [0.2, 0.4]


def test_a_service_that_nobody_serves_is_an_outage() -> None:
    limits = HttpLimits(pause=lambda _seconds: None)
    with (
        OpenApiEnvironment("shop", simple("x"), base_url="http://127.0.0.1:9", limits=limits) as shop,
        pytest.raises(EnvironmentUnavailable, match="does not answer"),
    ):
        shop.call("shop.get_x", {})


def test_redirects_are_followed_within_the_host_alone() -> None:
    service = Service()
    with reached(service, simple("here", "away", "round")) as shop:
        answer = shop.call("shop.get_here", {})
        assert isinstance(answer, dict)
        assert answer["path"] == "/v1/echo"
        kind, message = failure(shop, "shop.get_away")
        assert (kind, "which was not followed" in message) == ("Redirected", True)
        assert failure(shop, "shop.get_round") == ("Redirected", "shop.get_round: redirected more than 5 times")
    assert [request["path"] for request in service.requests].count("/v1/echo") == 1


def test_a_redirect_of_a_write_is_not_followed() -> None:
    with reached(Service(), simple("here", method="post")) as shop:
        assert failure(shop, "shop.post_here")[0] == "Redirected"


@pytest.mark.parametrize(
    ("scheme", "name", "header", "value"),
    [
        ("key", "getItem", "x-api-key", SECRET),
        ("token", "note", "authorization", f"Bearer {SECRET}"),
        ("basic", "login", "authorization", f"Basic {base64.b64encode(SECRET.encode()).decode()}"),
    ],
)
def test_a_secret_goes_where_the_scheme_says_and_comes_back_nowhere(
    scheme: str, name: str, header: str, value: str, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n", encoding="utf-8")
    service = Service(secret=f"your key is {SECRET}")
    arguments: dict[str, Any] = {"getItem": {"id": "7"}, "note": {"body": "x"}, "login": {"a": "x"}}
    with reached(service, DOCUMENT_3_1, secrets={scheme: f"file:{file}"}) as shop:
        answer = json.dumps(shop.call(f"shop.{name}", arguments[name]))
        described = json.dumps([(spec.doc, spec.parameters, spec.returns) for spec in shop.functions.values()])
    assert service.requests[-1]["headers"][header] == value
    assert "your key is [secret]" in answer
    for form in (SECRET, value):
        assert form not in answer + described + repr(vars(shop))


def test_a_secret_goes_only_with_operations_that_ask_for_it() -> None:
    service = Service()
    with reached(service, DOCUMENT_3_1, secrets={"token": lambda: SECRET}) as shop:
        shop.call("shop.getItem", {"id": "7"})
    assert "authorization" not in service.requests[-1]["headers"]


@pytest.mark.parametrize(
    ("place", "header", "value", "query"),
    [
        ("bearer", "authorization", f"Bearer {SECRET}", ""),
        ("header:X-Token", "x-token", SECRET, ""),
        ("query:key", "x-none", None, "key=open%20sesame%2F7"),
    ],
)
def test_a_secret_can_say_itself_where_it_goes(place: str, header: str, value: str | None, query: str) -> None:
    service = Service()
    with reached(service, simple("echo"), secrets={place: lambda: SECRET}) as shop:
        answer = json.dumps(shop.call("shop.get_echo", {}))
    request = service.requests[-1]
    assert (request["headers"].get(header), request["query"]) == (value, query)
    assert "sesame" not in answer


def test_a_secret_is_hidden_in_errors() -> None:
    with (
        OpenApiEnvironment(
            "shop",
            simple("x"),
            base_url="http://127.0.0.1:9",
            secrets={"query:key": lambda: SECRET},
            limits=HttpLimits(retries=0),
        ) as shop,
        pytest.raises(EnvironmentUnavailable) as caught,
    ):
        shop.call("shop.get_x", {})
    assert "sesame" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"secrets": {"keys": "env:X"}}, r"'keys' is no security scheme of the document \(it has key, basic, token\)"),
        ({"secrets": {"key": "hunter2"}}, "a secret is given as env:NAME or file:PATH, never as itself"),
        ({"secrets": {"key": "env:NO_SUCH"}}, "the environment variable 'NO_SUCH' is not set"),
        ({"base_url": "shop.example"}, "'shop.example' is no address of a service"),
        ({"base_url": "https://me:hunter2@shop.example"}, "the base URL holds a password"),
        ({"effects": {"shop.nothing": "read"}}, "effects names 'shop.nothing'"),
    ],
)
def test_what_cannot_be_opened_is_one_clear_error(more: dict[str, Any], says: str) -> None:
    with pytest.raises(InputInvalid, match=says) as caught:
        OpenApiEnvironment("shop", DOCUMENT_3_1, **more)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["swagger: '1.2'", "{", "[1]", "- a"])
def test_what_is_no_document_is_one_clear_error(text: str) -> None:
    with pytest.raises(InputInvalid, match="not an OpenAPI"):
        OpenApiEnvironment("shop", text)


def test_an_operation_served_by_somebody_else_is_not_called() -> None:
    with OpenApiEnvironment("shop", DOCUMENT_3_1) as shop:
        reason = "it is served at 'https://evil.example/v1', another place than the others"
        assert shop.unusable["shop.elsewhere"] == reason
        assert failure(shop, "shop.elsewhere") == (
            "UnknownFunction",
            f"'shop' has no function 'shop.elsewhere': {reason}",
        )


def test_a_service_cannot_be_forked() -> None:
    with OpenApiEnvironment("shop", DOCUMENT_3_1) as shop, pytest.raises(FunctionError) as caught:
        shop.fork()
    assert caught.value.kind == "CannotFork"
