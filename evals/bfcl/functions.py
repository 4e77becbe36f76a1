"""The benchmark's function documents as specifications: JSON schemas, documentation, and our table of effects."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from evals.bfcl.source import APIS, read_lines
from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject

ENUMERATION = re.compile(r"\[Enum\]: (\[[^]]*\]|[\w, ]+$)")
"""How the benchmark lists the values of a parameter inside its description."""

TYPES = {"dict": "object", "float": "number", "tuple": "array", "list": "array", "double": "number", "long": "integer"}

READS = {
    "files": "cat diff du find grep ls pwd sort tail wc",
    "messages": "get_message_stats get_user_id list_users message_get_login_status search_messages view_messages_sent",
    "posts": (
        "get_tweet get_tweet_comments get_user_stats get_user_tweets list_all_following "
        "posting_get_login_status search_tweets"
    ),
    "tickets": "get_ticket get_user_tickets ticket_get_login_status",
    "trading": (
        "filter_stocks_by_price get_account_info get_available_stocks get_current_time get_order_details "
        "get_order_history get_stock_info get_symbol_by_name get_transaction_history get_watchlist "
        "notify_price_change trading_get_login_status"
    ),
    "travel": (
        "compute_exchange_rate get_all_credit_cards get_booking_history get_budget_fiscal_year "
        "get_credit_card_balance get_nearest_airport_by_city list_all_airports "
        "retrieve_invoice travel_get_login_status verify_traveler_information"
    ),
    "vehicle": (
        "check_tire_pressure displayCarStatus display_log estimate_distance "
        "estimate_drive_feasibility_by_mileage find_nearest_tire_shop gallon_to_liter "
        "get_zipcode_based_on_city liter_to_gallon"
    ),
}
"""The functions that change nothing, by namespace; those of `math` are reads too. Everything else writes: also a draw
of a random number and the look-up that `travel.get_flight_cost` keeps are changes of state."""


def load_functions(package: Path) -> dict[str, FunctionSpec]:
    """Return `namespace.function` → specification for the eight APIs."""
    folder = package / "data" / "multi_turn_func_doc"
    rows = [(api.namespace, row) for api in APIS for row in read_lines(folder / f"{api.document}.json")]
    specs = [function_spec(namespace, row) for namespace, row in rows]
    return {spec.name: spec for spec in specs}


def function_spec(namespace: str, row: dict[str, Any]) -> FunctionSpec:
    """Return one function document as a specification."""
    return FunctionSpec(
        name=f"{namespace}.{row['name']}",
        doc=row["description"].rpartition("Tool description:")[2].strip(),
        parameters=json_schema(row["parameters"]),
        returns=json_schema(row["response"]),
        effect=_effect(namespace, row["name"]),
    )


def _of_each(schema: JsonObject) -> JsonObject:
    items = schema.get("items")
    return items if isinstance(items, dict) else schema


def _effect(namespace: str, function: str) -> Effect:
    reads = namespace == "math" or function in READS.get(namespace, "").split()
    return Effect.READ if reads else Effect.WRITE


def json_schema(schema: dict[str, Any]) -> JsonObject:
    """Return the benchmark's dialect as JSON schema: `dict` is `object`, `float` is `number`, `any` is anything."""
    kept: JsonObject = {key: schema[key] for key in ("description", "default", "enum") if key in schema}
    kind = schema.get("type")
    if isinstance(kind, str) and kind != "any":
        kept["type"] = TYPES.get(kind, kind)
    if isinstance(schema.get("items"), dict):
        kept["items"] = json_schema(schema["items"])
    listed = ENUMERATION.search(str(schema.get("description", "")))
    if listed is not None:
        kept["description"] = str(schema["description"])[: listed.start()].rstrip()
        values: list[Json] = json.loads(listed[1]) if listed[1][0] == "[" else [*listed[1].split(", ")]
        _of_each(kept)["enum"] = values
    if isinstance(schema.get("properties"), dict):
        kept["properties"] = {name: json_schema(item) for name, item in schema["properties"].items()}
    if "required" in schema:
        kept["required"] = list(schema["required"])
    return kept
