"""The tool's docstring: what it does in one sentence, its arguments, what it returns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from nucleate_codifier.entities import declared
from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.annotations import description
from nucleate_codifier.trace.explain.parameters import Parameter
from nucleate_codifier.trace.expressions import Const, Each, Param, Var
from nucleate_codifier.trace.names import plural, snake, verb, words
from nucleate_codifier.trace.render.layout import INDENT, WIDTH
from nucleate_codifier.trace.render.rendering import Locals, guard_text
from nucleate_sandbox import Effect, FunctionSpec, Json

LONGEST_PHRASE = 90


def docstring(template: Template, parameters: Sequence[Parameter], functions: Mapping[str, FunctionSpec]) -> list[str]:
    """Return the docstring's lines, indented for a function's body."""
    lines = _wrapped(f'"""{_summary(template, functions)}', first="", rest="")
    if parameters:
        lines += ["", f"{INDENT}Args:"]
        lines += [line for parameter in parameters for line in _argument(parameter)]
    if template.returns:
        lines += ["", f"{INDENT}Returns:", *_wrapped(_returns(template), first=INDENT, rest=INDENT)]
    return [*lines, f'{INDENT}"""'] if len(lines) > 1 else [f'{lines[0]}"""']


def _summary(template: Template, functions: Mapping[str, FunctionSpec]) -> str:
    names = Locals.of(template)
    phrases = [_phrase(pattern, functions[pattern.function], names) for pattern in template.patterns]
    different = [phrase for index, phrase in enumerate(phrases) if index == 0 or phrase != phrases[index - 1]]
    comma = "; " if any("," in phrase for phrase in different) else ", "
    joined = different[0] if len(different) == 1 else f"{comma.join(different[:-1])}{comma}then {different[-1]}"
    return f"{joined[:1].upper()}{joined[1:]}."


def _phrase(pattern: Pattern, spec: FunctionSpec, names: Locals) -> str:
    phrase = " ".join(words(pattern.function))
    told = description({"description": re.sub(r"^.*Tool description:\s*", "", " ".join(spec.doc.split()))})
    if told and len(told) <= LONGEST_PHRASE and told.isascii():
        phrase = _imperative(told, verb(pattern.function))
    phrase += "".join(f" with {name} {value}" for name, value in _fixed(pattern, spec))
    if pattern.guard is not None:
        phrase = f"{phrase}, if {guard_text(pattern.guard, names)}"
    if pattern.pages is not None:
        phrase = f"{phrase}, page by page"
    return _clean(phrase if pattern.over is None else f"{phrase}, for each of {_source(pattern.over, names)}")


def _fixed(pattern: Pattern, spec: FunctionSpec) -> list[tuple[str, Json]]:
    """Return what a write is always given although its schema lists other values: the first line says so."""
    given = [(name, expr.value) for name, expr in pattern.arguments if isinstance(expr, Const)]
    listed = [(name, value) for name, value in given if value in declared(spec, name)]
    return [(name.replace("_", " "), value) for name, value in listed if spec.effect is not Effect.READ]


def _imperative(sentence: str, word: str) -> str:
    first, space, rest = sentence.partition(" ")
    if first.lower() in {f"{word}s", f"{word}es", f"{word[:-1]}ies"}:
        first = word
    return f"{first.lower() if first[1:].islower() or first.islower() else first}{space}{rest}"


def _source(over: Var | Param, names: Locals) -> str:
    if isinstance(over, Param):
        return f"the {over.name.replace('_', ' ')}"
    holder = names.steps[over.step].replace("_", " ")
    keys = [element for element in over.path if isinstance(element, str)]
    if not keys:
        return f"the {plural(holder)}"
    owner = f"{holder}'" if holder.endswith("s") else f"{holder}'s"
    keyed = "keys of the " if over.path[-1] == Each(over="keys") else ""
    return f"the {keyed}{owner} {snake(keys[-1]).replace('_', ' ')}"


def _argument(parameter: Parameter) -> list[str]:
    told = _clean(parameter.description) or f"The {parameter.name.replace('_', ' ')}"
    left_out = "; left out where None" if parameter.optional else ""
    return _wrapped(f"{parameter.name}: {told[:1].upper()}{told[1:]}{left_out}.", first=INDENT, rest=INDENT * 2)


def _returns(template: Template) -> str:
    told = [(name, _result(template.patterns[step])) for name, step in template.returns]
    if len(told) == 1:
        return f"The {told[0][1]}."
    return f"An object: {', '.join(f'`{name}` is the {result}' for name, result in told)}."


def _result(pattern: Pattern) -> str:
    name = pattern.function.rpartition(".")[2]
    if pattern.pages is not None:
        return f"list of all `{pattern.pages.items}` of `{name}`"
    return f"list of results of `{name}`" if pattern.over is not None else f"result of `{name}`"


def _wrapped(text: str, *, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=INDENT + first, subsequent_indent=INDENT + rest, break_long_words=False
    )


def _clean(text: str) -> str:
    return " ".join(text.replace("\\", "/").replace('"', "'").split())
