"""Every regular expression of the product, found by itself, on texts that make a careless one slow.

Run: python -m evals.sandbox.expressions

An expression is found where a module holds it, or where a source calls `re` with it, so that a new one cannot escape.
Its texts are read off its own parts: each repeated part is repeated to 100,000 characters, behind what leads to it and
together with that. The unit is what it takes to find the words of a plain text of the same length.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import re._constants as code  # type: ignore[import-not-found]  # the parts of an expression, as Python's own parser names them
import re._parser as parser  # type: ignore[import-not-found]
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

LENGTH = 100_000
MAX_TEXTS = 40
MOST = 60.0  # units: what is linear takes a few, what is quadratic takes hundreds
ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("sandbox", "text_memory", "tool_library", "codifier", "runtime")
CALLS = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
ANCHORED = {"match", "fullmatch"}
NOT_IMPORTED = ("/guest/", "/carried/", "/frameworks/", "__main__", "/schemas/worker.py")
OURS = ("/rulebook/book.py",)  # reads pages of the package, and no stranger's text
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
# Expressions that are put together while the program runs, and what stands for them here.
MADE = {
    "redact.py": r"(?<!\w)secret1(?!\w)|(?<!\w)secret2(?!\w)",
    # A stranger's, in a process that the kernel ends.
    "worker.py": "a",
    # A program's text, of which it is only asked whether it is an expression: nothing is matched.
    "texts.py": "a",
}
LETTERS = "a1A_-. :/'\"\n\té中#"
REPEATED = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
CHOSEN = (code.LITERAL, code.RANGE)
PLAIN = "The quick brown fox of order 4711 jumps over a lazy dog, and pays 12.50 for it. "


@dataclass(kw_only=True)
class Expression:
    """One expression: where it stands, and the methods by which it is used (empty: not known, so all)."""

    place: str
    pattern: re.Pattern[Any]
    methods: set[str] = field(default_factory=set)


def collect() -> list[Expression]:
    """Return every expression of the product; raise ValueError for one that cannot be read."""
    sources = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    parsed = {path: [*ast.walk(ast.parse(path.read_text("utf-8")))] for path in sources}
    everywhere = _uses(node for nodes in parsed.values() for node in nodes)
    found: dict[tuple[Any, int], Expression] = {}
    for path, nodes in parsed.items():
        place = str(path.relative_to(ROOT))
        if place.endswith(OURS):
            continue
        module = _module(path, nodes)
        named = [*_held(module)] if module is not None else []
        used = {**everywhere, **{name: how for name, how in _uses(nodes).items() if name.startswith("_")}}
        for name, pattern in named:
            _add(found, f"{place}: {name}", pattern, used.get(name, set()))
        for call, running in _calls(nodes):
            if running or module is None:
                pattern, methods = _called(call, place, module)
                _add(found, f"{place}:{call.lineno}", pattern, methods)
    return list(found.values())


def _add(found: dict[tuple[Any, int], Expression], place: str, pattern: re.Pattern[Any], methods: set[str]) -> None:
    key = (pattern.pattern, pattern.flags)
    known = found.setdefault(key, Expression(place=place, pattern=pattern, methods=set(methods)))
    known.methods = known.methods | methods if methods and known.methods else set()


def _module(path: Path, nodes: list[ast.AST]) -> ModuleType | None:
    taken = {name for node in nodes for name in _taken(node)}
    if not taken & {"re", "detect_secrets"} or any(part in str(path) for part in NOT_IMPORTED):
        return None
    parts = path.relative_to(ROOT).with_suffix("").parts[1:]
    return importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def _taken(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [(node.module or "").partition(".")[0]]
    return [item.name for item in node.names] if isinstance(node, ast.Import) else []


def _held(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for name, value in vars(module).items():
        for pattern in _within(value):
            yield name, pattern


def _within(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth < 4:
        yield from (found for item in value.values() for found in _within(item, depth + 1))
    elif isinstance(rules := getattr(value, "denylist", None), Iterable) and not isinstance(value, type):
        yield from _within([*rules], depth + 1)  # a detector of detect-secrets
    elif isinstance(value, list | tuple | set | frozenset) and depth < 4:
        yield from (found for item in value for found in _within(item, depth + 1))


def _uses(nodes: Iterable[ast.AST]) -> dict[str, set[str]]:
    """Return by which methods a name that holds an expression is used."""
    used: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in CALLS:
            used.setdefault(node.value.id, set()).add(node.attr)
    return used


def _calls(nodes: list[ast.AST]) -> Iterator[tuple[ast.Call, bool]]:
    """Yield each call of `re`, and whether it is made while the program runs."""
    calls = [node for node in nodes if isinstance(node, ast.Call) and _asks_re(node.func)]
    functions = [node for node in nodes if isinstance(node, FUNCTION)] if calls else []
    within = {id(inner) for node in functions for inner in ast.walk(node)}
    return ((call, id(call) in within) for call in calls)


def _asks_re(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and (called.value.id, called.attr in CALLS) == ("re", True)
    )


def _called(call: ast.Call, place: str, module: ModuleType | None) -> tuple[re.Pattern[Any], set[str]]:
    assert isinstance(call.func, ast.Attribute)
    text = _text(call.args[0], module)
    text = MADE.get(Path(place).name) if text is None else text
    if text is None:
        raise ValueError(f"{place}:{call.lineno}: an expression that cannot be read; write it as a text or an f-string")
    flags = [item.value for item in call.keywords if item.arg == "flags"]
    flags += call.args[{"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2) :]
    value = eval(compile(ast.Expression(flags[0]), place, "eval"), {"re": re}) if flags else 0
    return re.compile(text, value), set() if call.func.attr == "compile" else {call.func.attr}


def _text(node: ast.expr, module: ModuleType | None) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [item.value if isinstance(item, ast.Constant) else _part(item, module) for item in node.values]
    return "".join(str(part) for part in parts)


def _part(item: ast.expr, module: ModuleType | None) -> str:
    """Return a part of an f-string: the text that its module holds, or a word for one that is escaped."""
    assert isinstance(item, ast.FormattedValue)
    value = vars(module).get(item.value.id) if isinstance(item.value, ast.Name) and module is not None else None
    return str(value) if isinstance(value, str | int) else "word"


def texts(pattern: re.Pattern[Any], most: int = MAX_TEXTS) -> list[str]:
    """Return at most so many texts of LENGTH characters that repeat what the expression repeats."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags & ~re.UNICODE & ~re.DEBUG)
    found: set[str] = set()
    for least in (False, True):
        whole = _example(tree, least=least)
        found |= {whole, whole[:-1], f"{whole} "}
        for before, body in _repeated(tree, "", least=least):
            for part in body:
                found |= {
                    f"\0{before}\1{part}",
                    before + part,
                    part,
                    before,
                    f"{part} ",
                    f"{part}\n",
                    f"{before} {part}",
                }
    return [_long(text) for text in sorted(found, key=lambda text: (len(text), text))[-most:] if text]


def _long(text: str) -> str:
    if text.startswith("\0"):  # what leads to a repeated part, once, and then that part alone
        before, _, body = text[1:].partition("\1")
        text, body = before, body or " "
        return (text + body * (LENGTH // len(body)))[: LENGTH - 1] + "\0"
    return (text * (LENGTH // len(text) + 1))[: LENGTH - 1] + "\0"


def _repeated(tree: Any, before: str, *, least: bool) -> Iterator[tuple[str, set[str]]]:
    """Yield what leads to each repeated part, and ways to write that part: with one letter, and with all it allows."""
    for operation, argument in tree:
        for inner in _inside(operation, argument):
            if operation in REPEATED and argument[1] > 10:
                every = "".join(_members(inner[0][1])) if inner[0][0] is code.IN else ""
                yield before, {_example(inner, least=least), every, every[1:]} - {""}
            yield from _repeated(inner, before, least=least)
        before += _one(operation, argument, least=least)


def _inside(operation: Any, argument: Any) -> list[Any]:
    if operation in REPEATED:
        return [argument[2]]
    if operation is code.SUBPATTERN:
        return [argument[3]]
    if operation is code.BRANCH:
        return list(argument[1])
    if operation in (code.ASSERT, code.ASSERT_NOT):
        return [argument[1]]
    return [argument] if operation is code.ATOMIC_GROUP else []


def _example(tree: Any, *, least: bool = False) -> str:
    return "".join(_one(operation, argument, least=least) for operation, argument in tree)


def _one(operation: Any, argument: Any, *, least: bool) -> str:
    if operation is code.LITERAL:
        return chr(int(argument))
    if operation is code.IN:
        return next(iter(_members(argument)), "") or _first(argument)
    if operation in (code.NOT_LITERAL, code.ANY):
        return "b" if argument == ord("a") else "a"
    if operation in REPEATED:
        times: int = max(0 if least else 1, min(argument[0], 40))
        return _example(argument[2], least=least) * times
    if operation in (code.SUBPATTERN, code.ATOMIC_GROUP):
        return _example(argument[3] if operation is code.SUBPATTERN else argument, least=least)
    return _example(argument[1][0], least=least) if operation is code.BRANCH else ""


def _members(items: Any) -> list[str]:
    wanted = re.compile(_class(items))
    return [letter for letter in LETTERS if wanted.match(letter)]


def _class(items: Any) -> str:
    names = {code.CATEGORY_WORD: r"\w", code.CATEGORY_DIGIT: r"\d", code.CATEGORY_SPACE: r"\s"}
    names |= {code.CATEGORY_NOT_WORD: r"\W", code.CATEGORY_NOT_DIGIT: r"\D", code.CATEGORY_NOT_SPACE: r"\S"}
    parts = []
    for operation, argument in items:
        if operation is code.NEGATE:
            parts.append("^")
        elif operation is code.LITERAL:
            parts.append(re.escape(chr(argument)))
        elif operation is code.RANGE:
            parts.append(f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}")
        else:
            parts.append(names[argument])
    return f"[{''.join(parts)}]"


def _first(items: Any) -> str:
    found = [chr(value if kind is code.LITERAL else value[0]) for kind, value in items if kind in CHOSEN]
    return found[0] if found else "a"


class Slow(Exception):
    """A text took more than it may."""


def measure(expressions: list[Expression], most: int = MAX_TEXTS) -> list[tuple[str, float, str]]:
    """Return for each expression the units that its worst text takes (at most 1.5 MOST), and how that text begins."""
    plain = (PLAIN * LENGTH)[:LENGTH]
    unit = min(_seconds(re.compile(r"\w+"), "finditer", plain) for _ in range(5))

    def stop(_number: int, _frame: object) -> None:
        raise Slow

    signal.signal(signal.SIGPROF, stop)
    return [(item.place, *_worst(item, unit, most)) for item in expressions]


def _worst(item: Expression, unit: float, most: int) -> tuple[float, str]:
    worst = (0.0, "")
    methods = item.methods or {"finditer"}
    for text in texts(item.pattern, most):
        for method in sorted(methods if methods <= ANCHORED else {"finditer"}):
            signal.setitimer(signal.ITIMER_PROF, 1.5 * MOST * unit)
            try:
                units = _seconds(item.pattern, method, text) / unit
            except Slow:
                units = 1.5 * MOST
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            worst = max(worst, (units, text[:40]))
            if units > MOST:
                return worst
    return worst


def _seconds(pattern: re.Pattern[Any], method: str, text: str) -> float:
    given = text if isinstance(pattern.pattern, str) else text.encode("utf-8")
    began = time.process_time()
    answer = getattr(pattern, method)(given)
    if method == "finditer":
        for _ in answer:
            pass
    return time.process_time() - began


def main() -> None:
    """Print a line for each expression, the costliest first; with `--json TEXTS` a list, of so many texts for each."""
    short = sys.argv[1:2] == ["--json"]
    rows = sorted(measure(collect(), int(sys.argv[2]) if short else MAX_TEXTS), key=lambda row: -row[1])
    if short:
        print(json.dumps(rows))
        return
    print(f"{len(rows)} expressions, {LENGTH} characters, units of a plain text; {MOST:g} is the most")
    for place, units, text in rows:
        print(f"{units:8.1f}  {place}  {text!r}")


if __name__ == "__main__":
    main()
