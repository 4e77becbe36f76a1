"""Honest descriptions that other people wrote: docstrings of installed packages, and tools of MCP servers."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from uv import find_uv_bin

from evals.bfcl.source import Unreachable, cache_folder

PYTHON = "3.13"
LEAST = 20  # characters
_SCRIPT = re.compile(
    r"""name:\s*["'`](?P<name>[\w./-]{2,60})["'`],(?:\s*\w+:\s*["'`][^"'`]{0,200}["'`],){0,3}\s*description:\s*"""
    r"""(?P<text>(?:["'`](?:[^"'`\\]|\\.|(?<=\w)'(?=\w)){20,4000}["'`]\s*\+?\s*){1,40})""",
)
_CALLED = re.compile(
    r"""(?:registerTool|\.tool)\(\s*["'`](?P<name>[\w./-]{2,60})["'`],\s*(?:\{[^{}]{0,200}?description:\s*)?"""
    r"""(?P<text>(?:["'`](?:[^"'`\\]|\\.|(?<=\w)'(?=\w)){20,4000}["'`]\s*\+?\s*){1,40})""",
)


def docstrings(package: str, most: int) -> list[str]:
    """Return the docstrings of public functions of an installed package, chosen by hash; none where it is missing."""
    spec = importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or []) if spec is not None else []
    found = {text for place in places for path in Path(place).rglob("*.py") for text in _functions(path)}
    return sorted(found, key=lambda text: hashlib.sha256(text.encode()).hexdigest())[:most]


def python_tools(package: str) -> list[str]:
    """Return the descriptions of an MCP server's tools from its package, which is fetched without what it asks for."""
    folder = cache_folder() / "servers" / re.sub(r"\W", "-", package)
    if not folder.exists():
        command = [find_uv_bin(), "pip", "install", "--quiet", "--no-deps", "--python-version", PYTHON]
        _run([*command, "--target", str(folder), package], folder)
    return _distinct(text for path in sorted(folder.rglob("*.py")) for text in _tools(path))


def script_tools(package: str) -> list[str]:
    """Return the same of an npm package."""
    folder = cache_folder() / "servers" / re.sub(r"\W", "-", package)
    if not folder.exists():
        folder.mkdir(parents=True)
        _run(["npm", "pack", "--silent", "--pack-destination", str(folder), package], folder)
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            archive.extractall(folder, filter="data")
    files = (path for path in sorted(folder.rglob("*.js")) if "node_modules" not in path.parts)
    return _distinct(text for path in files for text in _scripted(path.read_text("utf-8", "replace")))


def _functions(path: Path) -> Iterator[str]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            text = ast.get_docstring(node) or ""
            if len(text) >= LEAST:
                yield text


def _tools(path: Path) -> Iterator[str]:
    """Yield docstrings of functions that a decorator `….tool(…)` marks, and `description` of `Tool(…)`."""
    for node in ast.walk(_tree(path)):
        match node:
            case ast.FunctionDef(decorator_list=marks) | ast.AsyncFunctionDef(decorator_list=marks):
                text = ast.get_docstring(node) or ""
                if len(text) >= LEAST and any(".tool" in ast.unparse(mark) for mark in marks):
                    yield text
            case ast.Call(func=ast.Name(id="Tool") | ast.Attribute(attr="Tool"), keywords=keywords):
                for item in keywords:
                    value = _literal(item.value) if item.arg == "description" else ""
                    if len(value) >= LEAST:
                        yield value


def _literal(node: ast.expr) -> str:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def _scripted(text: str) -> Iterator[str]:
    for pattern in (_SCRIPT, _CALLED):
        for match in pattern.finditer(text):
            pieces = re.findall(r"""(["'`])((?:[^"'`\\]|\\.|(?<=\w)'(?=\w))*)\1""", match["text"])
            yield "".join(piece for _, piece in pieces).replace("\\n", "\n").replace('\\"', '"')


def _distinct(texts: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(text for text in texts if len(text) >= LEAST)]


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8", "replace"))
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        raise Unreachable(f"{command[-1]} could not be fetched ({' '.join(done.stderr.split())[:200]})")
