"""Loads the user's modules and code blocks, each under a file name that tracebacks can show."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import linecache
import sys
import types
from typing import Any

from .environment import FunctionError

PLAIN = (bool, dict, float, int, list, str, type(None))  # asking what else it may be touches much


def provide(name: str, value: Any) -> None:
    """Make a name known to every module of this process."""
    setattr(builtins, name, value)


def load(modules: list[dict[str, str]], env: Any) -> dict[str, types.ModuleType]:
    """Execute the modules in order; each sees `env` and the functions of the modules before it."""
    loaded: dict[str, types.ModuleType] = {}
    for item in modules:
        module = registered(types.ModuleType(item["name"]))
        module.__dict__.update({name: vars(other).get(name) for name, other in loaded.items()}, env=env)
        exec(compiled(item["source"], f"{item['name']}.py", "exec"), module.__dict__)  # noqa: S102
        loaded[item["name"]] = module
    return loaded


def registered(module: types.ModuleType) -> types.ModuleType:
    """Let dataclasses, type hints and pickle find the module by its name, under another where one has it already."""
    if module.__name__ in sys.modules or module.__name__ in sys.stdlib_module_names:
        module.__name__ = f"{module.__name__}_tool"
    sys.modules[module.__name__] = module
    return module


def compiled(
    source: str | ast.Module | ast.Expression, filename: str, mode: str, text: str | None = None
) -> types.CodeType:
    """Compile, and remember the text for tracebacks."""
    shown = text if text is not None else str(source)
    linecache.cache[filename] = (len(shown), None, shown.splitlines(keepends=True), filename)
    code: types.CodeType = compile(source, filename, mode, dont_inherit=True)
    return code


def invoke(module: types.ModuleType, function: str, arguments: dict[str, Any]) -> Any:
    """Call a function by keyword, and wait for its result when it is asynchronous."""
    target = vars(module).get(function)
    if not callable(target):
        raise NameError(f"module {module.__name__!r} has no function {function!r}")
    return finished(target(**arguments))


def finished(result: Any) -> Any:
    """Return the result, awaited when it is an awaitable."""
    if type(result) in PLAIN or not inspect.isawaitable(result):
        return result
    run = importlib.import_module("asyncio").run  # costs 4 MB, so only where it is needed

    async def wait() -> Any:
        return await result

    return run(wait())


class Notebook:
    """A namespace that lasts: code blocks see the names of the blocks before them."""

    def __init__(self, env: Any) -> None:
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        self.names: dict[str, Any] = main.__dict__
        self.names |= {"__builtins__": builtins, "env": env}
        self.files: set[str] = set()

    def run(self, code: str) -> Any:
        """Run one block and return the value of a last line that is an expression."""
        filename = f"run_{len(self.files) + 1}.py"
        self.files.add(filename)
        linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
        tree = ast.parse(code, filename)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compiled(tree, filename, "exec", code), self.names)  # noqa: S102
        if not isinstance(last, ast.Expr):
            return None
        return finished(eval(compiled(ast.Expression(last.value), filename, "eval", code), self.names))  # noqa: S307


provide("FunctionError", FunctionError)
