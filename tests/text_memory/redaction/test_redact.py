"""Secrets never reach the database; ordinary values that tools need are left as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate_text_memory import TextMemory
from nucleate_text_memory.redaction.redact import redact, redact_text
from tests.text_memory.database import open_engine
from tests.text_memory.runs import failed, ok, run

KEY = "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0"
TOKEN = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"use {KEY} here", "use [redacted:api_key] here"),
        ("AKIA" + "ABCDEFGHIJKLMNOP", "[redacted:api_key]"),
        ("ghp_" + "a1" * 18, "[redacted:token]"),
        (f"Authorization: Bearer {TOKEN}", "Authorization: Bearer [redacted:token]"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZDE=", "Authorization: Basic [redacted:token]"),
        (f"key:\n{PEM}\nend", "key:\n[redacted:private_key]\nend"),
        ("postgres://ada:s3cr3t@db/shop", "postgres://ada:[redacted:password]@db/shop"),
        ("password=hunter", "password=[redacted:password]"),
        ('{"api_key": "abc-def"}', '{"api_key": "[redacted:api_key]"}'),
        ("My password is tr0ub4dor&3, thanks", "My password is [redacted:password], thanks"),
        ("password: s3cret-one password: s3cret-two", "password: [redacted:password] password: [redacted:password-2]"),
    ],
)
def test_a_secret_is_replaced_by_its_placeholder(text: str, expected: str) -> None:
    assert redact_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The password is wrong, the token is invalid",
        "Password: required",
        "order #W7242815, card gift_card_5094406, zip 76192",
        "basic economy information, bearer authentication",
        "Refund via paypal_1808675 to mia.li3818@example.com",
        "550e8400-e29b-41d4-a716-446655440000",
        "token=null password=None",
        "risk-assessment-of-the-quarter-2024-final-draft",
    ],
)
def test_an_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert redact_text(text) == text


def test_fields_named_like_secrets_are_replaced_and_equal_values_stay_equal() -> None:
    trajectory = run(
        "t1",
        ok("app.login", {"accessToken": "tok-12345678", "user_id": 7}, username="ada", password="open sesame"),
        ok("app.pay", {"ok": True}, access_token="tok-12345678", amount=5),
        ok("app.login", {"access_token": "tok-87654321"}, username="bob", password=1234),
        failed("app.pay", "Error: tok-87654321 expired", access_token="tok-87654321", amount=5),
        query="Pay 5 for ada, whose pass phrase is open sesame",
    )
    assert redact(trajectory) == run(
        "t1",
        ok(
            "app.login",
            {"accessToken": "[redacted:token]", "user_id": 7},
            username="ada",
            password="[redacted:password]",
        ),
        ok("app.pay", {"ok": True}, access_token="[redacted:token]", amount=5),
        ok("app.login", {"access_token": "[redacted:token-2]"}, username="bob", password="[redacted:password-2]"),
        failed("app.pay", "Error: [redacted:token-2] expired", access_token="[redacted:token-2]", amount=5),
        query="Pay 5 for ada, whose pass phrase is [redacted:password]",
    )


def test_fields_that_only_sound_like_secrets_are_left_as_they_are() -> None:
    trajectory = run(
        "t1",
        ok(
            "app.list",
            {"next_page_token": "abc123456789", "token": "BTC", "max_tokens": 4096},
            page_token="abc123456789",
        ),
        ok("app.reset", {"password": None, "password_changed": True}, secret=""),
    )
    assert redact(trajectory) == trajectory


def test_redacting_twice_changes_nothing_more() -> None:
    once = redact(run("t1", ok("app.login", {"token": TOKEN}, password="hunter22"), query=f"use {KEY}"))
    assert redact(once) == once


def test_no_byte_of_a_secret_reaches_the_disk(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "memory.db")
    memory = TextMemory(engine)
    for task in ("t1", "t2"):
        steps = (ok("app.login", {"token": TOKEN}, password="open sesame"), ok("app.pay", 1, token=TOKEN, key=KEY))
        memory.store(run(task, *steps, query=f"{task}: pay with {KEY}"))
        memory.reflect(task)
    engine.dispose()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"[redacted:password]" in stored
    assert [secret for secret in (KEY, TOKEN, "open sesame") if secret.encode() in stored] == []


def test_the_same_run_with_its_secrets_is_the_run_that_is_stored(memory: TextMemory) -> None:
    trajectory = run("t1", ok("app.login", password="open sesame"))
    memory.store(trajectory)
    assert memory.store(trajectory) is False
    assert memory.trajectory("t1") == redact(trajectory)


def test_a_working_folder_is_no_password() -> None:
    text = "PWD=/srv/app\nOLDPWD=/srv\nKEYS=3\nMONKEY=banana\nTOKENIZERS_PARALLELISM=false"
    assert redact_text(text) == text


@pytest.mark.parametrize("before", ["İ" * 300, "x\n" * 300, "token " * 300])
@pytest.mark.parametrize("secret", ["password=hunter22", "DB_PASSWORD=hunter22", "sshpass -p hunter22"])
def test_a_secret_is_found_wherever_it_stands(before: str, secret: str) -> None:
    cleaned = redact_text(f"{before} {secret}\n{before}")
    assert "hunter22" not in cleaned
    assert cleaned.startswith(before)
