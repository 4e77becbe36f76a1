"""A tool's signature, read from its syntax tree."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Iterator

import docstring_parser

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.source import shapes
from nucleate_tool_library.source.schema import AnnotationSchemas
from nucleate_tool_library.values import JsonObject, Signature

Function = ast.FunctionDef | ast.AsyncFunctionDef


def read_signature(source: str, name: str) -> Signature:
    """Return the signature of the module's one public function, which must have this name.

    The module is parsed, never imported. Raises LibraryError for a module that has no such function, several
    public ones, parameters that JSON arguments cannot fill, or no valid syntax.
    """
    try:
        module = _parse(source)
        function = _public_function(module, name)
        return _signature(function, module)
    except RecursionError as error:
        raise LibraryError(f"the module of tool {name!r} is nested too deeply; flatten it") from error


def _parse(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(source)
    except (SyntaxError, ValueError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f"line {line}: " if line else ""
        reason = getattr(error, "msg", None) or str(error) or type(error).__name__
        raise LibraryError(f"the source is not valid Python ({where}{reason}); correct it and try again") from error


def _public_function(module: ast.Module, name: str) -> Function:
    functions = [node for node in module.body if isinstance(node, Function)]
    public = [node for node in functions if not node.name.startswith("_")]
    names = ", ".join(repr(node.name) for node in public)
    if len(public) > 1:
        raise LibraryError(f"a tool has one public function, this module has {names}; begin the others with '_'")
    if not public or public[0].name != name:
        raise LibraryError(f"the module has no public function {name!r}, only {names or 'private ones'}; rename it")
    return public[0]


def _signature(function: Function, module: ast.Module) -> Signature:
    schemas = AnnotationSchemas(module)
    doc = inspect.cleandoc(ast.get_docstring(function, clean=False) or "")
    described = _descriptions(doc)
    returns = schemas.of(function.returns)
    if described.get("return"):
        returns = returns | {"description": described["return"]}
    return Signature(
        name=function.name,
        text=_text(function),
        doc=doc,
        parameters=_parameters(function, schemas, shapes.aliases(module), described),
        returns=returns,
    )


def _text(function: Function) -> str:
    keyword = "async def" if isinstance(function, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{keyword} {function.name}({ast.unparse(function.args)}){returns}"


def _parameters(
    function: Function, schemas: AnnotationSchemas, constants: dict[str, ast.expr], described: dict[str, str]
) -> JsonObject:
    arguments = function.args
    if arguments.posonlyargs or arguments.vararg:
        raise LibraryError(f"{function.name!r} has parameters without a keyword; tools are called by keyword alone")
    properties: JsonObject = {}
    required: list[str] = []
    for argument, default in _with_defaults(arguments):
        schema = dict(schemas.of(argument.annotation))
        if described.get(argument.arg):
            schema["description"] = described[argument.arg]
        known, value = shapes.constant(default, constants)
        if known:
            schema["default"] = value
        if default is None:
            required.append(argument.arg)
        properties[argument.arg] = schema
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": schemas.of(arguments.kwarg.annotation) if arguments.kwarg else False,
    }


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    missing = len(arguments.args) - len(arguments.defaults)
    yield from zip(arguments.args, [*[None] * missing, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _descriptions(doc: str) -> dict[str, str]:
    """Return what the docstring says of each parameter, and of the result as `return`."""
    try:
        parsed = docstring_parser.parse(doc)
    except docstring_parser.ParseError:
        return {}
    found = {item.arg_name: " ".join((item.description or "").split()) for item in parsed.params}
    if parsed.returns and parsed.returns.description:
        found["return"] = " ".join(parsed.returns.description.split())
    return found
