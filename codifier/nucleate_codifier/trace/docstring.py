"""The tool's docstring: what it does in one sentence, its arguments, what it returns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from nucleate_codifier.trace.annotations import description
from nucleate_codifier.trace.expressions import Param
from nucleate_codifier.trace.inference import Parameter
from nucleate_codifier.trace.layout import INDENT, WIDTH
from nucleate_codifier.trace.names import plural, words
from nucleate_codifier.trace.template import Pattern, Template
from nucleate_sandbox import FunctionSpec

LONGEST_PHRASE = 70


def docstring(template: Template, parameters: Sequence[Parameter], functions: Mapping[str, FunctionSpec]) -> list[str]:
    """Return the docstring's lines, indented for a function's body."""
    sentence = summary(template, functions)
    lines = _wrapped(f'"""{sentence}', first="", rest="")
    if parameters:
        lines += ["", f"{INDENT}Args:"]
        lines += [line for parameter in parameters for line in _argument(parameter)]
    lines += ["", f"{INDENT}Returns:", *_wrapped(_returns(template), first=INDENT, rest=INDENT)]
    return [*lines, f'{INDENT}"""']


def summary(template: Template, functions: Mapping[str, FunctionSpec]) -> str:
    """Return one sentence that names the calls in order."""
    phrases = [_phrase(pattern, functions[pattern.function]) for pattern in template.patterns]
    different = [phrase for index, phrase in enumerate(phrases) if index == 0 or phrase != phrases[index - 1]]
    joined = different[0] if len(different) == 1 else f"{', '.join(different[:-1])}, then {different[-1]}"
    return f"{joined[:1].upper()}{joined[1:]}."


def _phrase(pattern: Pattern, spec: FunctionSpec) -> str:
    phrase = " ".join(words(pattern.function))
    told = description({"description": re.sub(r"^.*Tool description:\s*", "", " ".join(spec.doc.split()))})
    if told and len(told) <= LONGEST_PHRASE and told.isascii():
        phrase = told[:1].lower() + told[1:] if told[1:2].islower() else told
    if pattern.over is None:
        return _clean(phrase)
    return _clean(f"{phrase}, for each of {_source(pattern)}")


def _source(pattern: Pattern) -> str:
    if isinstance(pattern.over, Param):
        return f"the {pattern.over.name.replace('_', ' ')}"
    path = pattern.over.path if pattern.over is not None else ()
    keys = [element for element in path if isinstance(element, str)]
    return f"its {plural(keys[-1]).replace('_', ' ')}" if keys else "them"


def _argument(parameter: Parameter) -> list[str]:
    told = _clean(parameter.description) or f"The {parameter.name.replace('_', ' ')}"
    left_out = "; left out where None" if parameter.optional else ""
    return _wrapped(f"{parameter.name}: {told}{left_out}.", first=INDENT, rest=INDENT * 2)


def _returns(template: Template) -> str:
    if not template.returns:
        return "Nothing."
    told = [_result(template.patterns[step]) for _, step in template.returns]
    if len(told) == 1:
        return f"{told[0][:1].upper()}{told[0][1:]}."
    return f"An object with {', '.join(f'`{name}`' for name, _ in template.returns)}: the results of these calls."


def _result(pattern: Pattern) -> str:
    name = pattern.function.rpartition(".")[2]
    return f"the results of `{name}`, in order" if pattern.over is not None else f"the result of `{name}`"


def _wrapped(text: str, *, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=INDENT + first, subsequent_indent=INDENT + rest, break_long_words=False
    )


def _clean(text: str) -> str:
    return " ".join(text.replace("\\", "/").replace('"', "'").split())
