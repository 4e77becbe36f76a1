"""A small repository on disk: two tools, their examples, recordings, and a configuration to change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from nucleate_codifier.repository import (
    DescribedFunctions,
    FileVerdicts,
    JudgedTool,
    JudgingSetup,
    NoVerdicts,
    RepositoryReport,
    graph_of,
    judge_tools,
    open_repository,
)
from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject, Sandbox
from tests.doubles import InProcessSandbox

TEXT: JsonObject = {"type": "string"}
SEARCH = FunctionSpec(
    name="shop.search",
    parameters={"type": "object", "properties": {"category": TEXT}, "required": ["category"]},
    returns={
        "type": "object",
        "properties": {
            "offers": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"sku": TEXT, "price": {"type": "number"}},
                    "required": ["sku", "price"],
                },
            }
        },
        "required": ["offers"],
    },
    effect=Effect.READ,
)
ORDER = FunctionSpec(
    name="shop.order",
    parameters={"type": "object", "properties": {"sku": TEXT}, "required": ["sku"]},
    returns={"type": "object", "properties": {"order_id": TEXT}, "required": ["order_id"]},
)
CANCEL = FunctionSpec(
    name="shop.cancel_all",
    parameters={"type": "object", "properties": {}},
    returns={"type": "boolean"},
    effect=Effect.DESTRUCTIVE,
)
FUNCTIONS = {spec.name: spec for spec in (SEARCH, ORDER, CANCEL)}

CHEAPEST = '''\
"""Offers."""


def cheapest(category: str) -> str:
    """Return the sku of the cheapest offer of a category."""
    offers = env.shop.search(category=category)["offers"]
    best = offers[0]
    for offer in offers:
        if offer["price"] < best["price"]:
            best = offer
    return best["sku"]
'''
BUY = '''\
"""Orders."""


def buy_cheapest(category: str) -> str:
    """Order the cheapest offer of a category, and return the order's id."""
    return env.shop.order(sku=cheapest(category=category))["order_id"]
'''
OFFERS = {
    "lamps": [("L1", 40.0), ("L2", 20.0), ("L3", 30.0)],
    "rugs": [("R1", 5.0), ("R2", 7.0)],
    "mugs": [("M1", 3.0), ("M2", 2.0)],
}
QUERIES = {"lamps": "Which lamp is the cheapest?", "rugs": "I need a rug, and money is short", "mugs": "A mug, please"}


def search(category: str) -> JsonObject:
    """Return the recorded search of a category."""
    offers: list[Json] = [{"sku": sku, "price": price} for sku, price in OFFERS[category]]
    return {"function": "shop.search", "arguments": {"category": category}, "result": {"offers": offers}}


def best(category: str) -> str:
    """Return the sku of the cheapest offer."""
    return min(OFFERS[category], key=lambda offer: offer[1])[0]


def example(category: str, *, result: Json = None, calls: list[Json] | None = None, **more: Json) -> JsonObject:
    """Return one line of an example file; its search is answered by the recordings."""
    asked: list[Json] = [{"function": "shop.search", "arguments": {"category": category}}]
    return {
        "query": QUERIES[category],
        "arguments": {"category": category},
        "result": best(category) if result is None else result,
        "calls": [*asked, *(calls or [])],
        **more,
    }


def buying(category: str, **more: Json) -> JsonObject:
    """Return one line of the second tool's examples."""
    order: JsonObject = {
        "function": "shop.order",
        "arguments": {"sku": best(category)},
        "result": {"order_id": f"O-{category}"},
    }
    return example(category, result=f"O-{category}", calls=[order], **more)


def jsonl(*items: JsonObject) -> str:
    """Return JSON Lines."""
    return "".join(json.dumps(item) + "\n" for item in items)


CONFIG = '[tool.nucleate]\nenvironment = "shop.json"\nrecordings = ["calls.jsonl"]\ntools = ["tools"]\n'
FILES = {
    "pyproject.toml": CONFIG,
    "shop.json": "the shop's functions",
    "calls.jsonl": jsonl(*map(search, OFFERS)),
    "tools/cheapest.py": CHEAPEST,
    "tools/cheapest.examples.jsonl": jsonl(example("lamps"), example("rugs"), example("mugs", held_out=True)),
    "tools/buy_cheapest.py": BUY,
    "tools/buy_cheapest.examples.jsonl": jsonl(buying("lamps"), buying("rugs"), buying("mugs", held_out=True)),
}


def repository(folder: Path, changes: Mapping[str, str | None] | None = None) -> Path:
    """Write the files, with changes (None leaves one out), and return the folder."""
    for name, text in {**FILES, **(changes or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
    return folder


def read_functions(text: str, name: str) -> DescribedFunctions:
    """Return the shop's functions, whatever the file says."""
    if text == "broken":
        raise ValueError("no functions in it; describe some")
    return DescribedFunctions(name=name, functions=FUNCTIONS)


def judge(
    *paths: Path, sandbox: Sandbox | None = None, memory: FileVerdicts | NoVerdicts | None = None, jobs: int = 1
) -> RepositoryReport:
    """Judge what lies under these paths in the sandbox of the tests."""
    found = open_repository(paths, read_functions=read_functions)
    bench = JudgingSetup(sandbox=sandbox or InProcessSandbox(), memory=memory or NoVerdicts(), jobs=jobs)
    return RepositoryReport(judged=judge_tools(graph_of(found.tools), found.asked, bench), version="1.2.3")


def decisions(report: RepositoryReport) -> dict[str, str]:
    """Return each tool's decision by its path."""
    return {item.tool.path: item.verdict.decision.value for item in report.judged}


def rules(item: JudgedTool) -> list[str]:
    """Return the rules of the findings, each once, in order."""
    return list(dict.fromkeys(finding.rule for finding in item.verdict.findings))
