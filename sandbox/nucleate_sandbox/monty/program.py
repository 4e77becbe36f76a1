"""Puts together what Monty runs: the module with its line numbers, its dependencies, and the call at the end."""

from __future__ import annotations

from typing import Any

from pydantic_monty import Frame

from nucleate_sandbox.json_values import JsonObject
from nucleate_sandbox.monty.env_object import IMPORT_FUNCTION_ERROR
from nucleate_sandbox.monty.interpreter import Interpreter
from nucleate_sandbox.outcome import Outcome
from nucleate_sandbox.protocol import Module

# Monty hands functions, iterators and cycles to the host as strings: only inside can they be told from real strings.
CALL = """
def _nucleate_check(value, depth=0):
    if value is None or isinstance(value, (bool, int, float, str)):
        return
    if depth >= 60:
        raise ValueError('the value is nested deeper than 60 levels')
    if isinstance(value, (list, tuple)):
        for item in value:
            _nucleate_check(item, depth + 1)
    elif isinstance(value, dict):
        for item in value.values():
            _nucleate_check(item, depth + 1)
    elif not hasattr(value, '__dataclass_fields__'):
        raise TypeError(f'a {type(value).__name__} is not a JSON value')

try:
    _nucleate_result = FUNCTION
except NameError:
    raise NameError(MISSING)
_nucleate_result = _nucleate_result(**_nucleate_arguments)
if type(_nucleate_result).__name__ == 'coroutine':
    _nucleate_result = await _nucleate_result
_nucleate_check(_nucleate_result)
_nucleate_result
"""

DEPENDENCY = """
_nucleate_space = {'env': env, 'FunctionError': FunctionError}
for _nucleate_name in NEEDS:
    _nucleate_space[_nucleate_name] = _nucleate_loaded[_nucleate_name]
exec(_nucleate_sources[INDEX], _nucleate_space)
_nucleate_loaded[NAME] = NAME_ITSELF = _nucleate_space.get(NAME)
"""


def call_module(interpreter: Interpreter, module: Module, function: str, arguments: JsonObject) -> Outcome:
    """Load a module in the interpreter and call one of its functions by keyword."""
    interpreter.begin()
    prelude, values = _prelude(module)
    files = _Files(module, first=1 if prelude else 0)
    values["env"] = interpreter.answers.env()
    ending = None
    if prelude:
        ending = interpreter.feed(prelude, files.name, values)[1]
        values = {}
    if ending is not None:
        return interpreter.outcome(None, ending)
    value, ending = interpreter.feed(
        f"{module.source}\n{_tail(module, function)}", files.name, {"_nucleate_arguments": arguments, **values}
    )
    plain, unfit = interpreter.valued(value)
    return interpreter.outcome(plain, ending or unfit)


def _tail(module: Module, function: str) -> str:
    missing = f"module {module.name!r} has no function {function!r}"
    return CALL.replace("FUNCTION", function if function.isidentifier() else "None").replace("MISSING", repr(missing))


def _prelude(module: Module) -> tuple[str, dict[str, Any]]:
    """Return the code that must run before the module, if any: a feed costs a tenth of a millisecond."""
    sources = [item.source for item in module.dependencies]
    if not sources and "FunctionError" not in module.source:
        return "", {}
    parts = [IMPORT_FUNCTION_ERROR, "_nucleate_loaded = {}\n"]
    for index, item in enumerate(module.dependencies):
        earlier = [other.name for other in module.dependencies[:index]]
        text = DEPENDENCY.replace("NAME_ITSELF", item.name).replace("NEEDS", repr(earlier))
        parts.append(text.replace("INDEX", str(index)).replace("NAME", repr(item.name)))
    return "".join(parts), {"_nucleate_sources": sources}


class _Files:
    """Names the files of traceback frames: Monty numbers the feeds, and calls what exec() ran <string>."""

    def __init__(self, module: Module, *, first: int) -> None:
        self._module = module
        self._feed = f"<python-input-{first}>"
        self._lines = len(module.source.splitlines())

    def name(self, frame: Frame) -> str | None:
        """Return the user's file that holds the frame, or None when it is none of theirs."""
        if frame.filename in (self._feed, "main.py"):
            return f"{self._module.name}.py" if frame.line <= self._lines else None
        return self._dependency(frame.function_name) if frame.filename == "<string>" else None

    def _dependency(self, function: str | None) -> str:
        names = [item.name for item in self._module.dependencies if f"def {function}(" in item.source]
        return f"{names[0]}.py" if len(names) == 1 else "a dependency"
