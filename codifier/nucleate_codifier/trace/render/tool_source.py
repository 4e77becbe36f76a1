"""The Python source of a template: one module with one typed function."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from nucleate_codifier.admission.reading.source import read
from nucleate_codifier.trace.align.pages import Pages
from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.annotations import annotation, element, optional, property_schema
from nucleate_codifier.trace.explain.parameters import Parameter
from nucleate_codifier.trace.expressions import Expr, Param, Var
from nucleate_codifier.trace.names import free, identifier
from nucleate_codifier.trace.refusals import Refused
from nucleate_codifier.trace.render import layout
from nucleate_codifier.trace.render.helpers import Use
from nucleate_codifier.trace.render.hoisting import hoists
from nucleate_codifier.trace.render.rendering import FIND, Clauses, Locals, clauses, guard_text, literal, spell
from nucleate_sandbox import FunctionSpec, Json

_FIND = (
    "",
    "",
    f"def {FIND}(rows: list[Any], field: str, value: object) -> dict[str, Any]:",
    "    found = [row for row in rows if row.get(field) == value]",
    "    if not found:",
    '        raise LookupError(f"none of these has the {field} {value!r}")',
    "    if any(row != found[0] for row in found):",
    '        raise LookupError(f"AmbiguousMatch: {len(found)} of these have the {field} {value!r}: {str(found):.999}")',
    "    return found[0]",
)


@dataclass(frozen=True, kw_only=True)
class SourceDraft:
    """Everything that the source is written from; parameters without a default come first."""

    name: str
    template: Template
    parameters: Sequence[Parameter]
    functions: Mapping[str, FunctionSpec]
    docstring: Sequence[str]
    uses: Sequence[Use] = ()


def write(draft: SourceDraft) -> str:
    """Return the module's source; raise Refused where the guard of the parse gate finds fault with it."""
    parameters = [_parameter(parameter) for parameter in draft.parameters]
    ending = f" -> {return_annotation(draft.template, draft.functions)}:"
    signature = layout.lines(layout.call(f"def {draft.name}", parameters).within("", ending), indent=0)
    body = _Body(draft=draft, names=Locals.of(draft.template)).lines()
    helper = _FIND if any(f"{FIND}(" in line for line in body) else ()
    classes = [line for parameter in draft.parameters for line in _class(parameter)]
    imports = _imports("\n".join([*classes, *signature, *helper]), body)
    text = "\n".join([*imports, *classes, *signature, *draft.docstring, *body, *helper, ""])
    for finding in read(text).findings:
        raise Refused(finding)
    return text


def return_annotation(template: Template, functions: Mapping[str, FunctionSpec]) -> str:
    """Return what the tool returns: one result's type, an object of several, or None."""
    kinds = [_result_annotation(template.patterns[step], functions) for _, step in template.returns]
    kinds = [
        optional(kind) if template.patterns[step].guard else kind
        for kind, (_, step) in zip(kinds, template.returns, strict=True)
    ]
    if not kinds:
        return "None"
    if len(kinds) == 1:
        return kinds[0]
    return f"dict[str, {kinds[0] if len(set(kinds)) == 1 else 'Any'}]"


@dataclass(kw_only=True)
class _Body:
    draft: SourceDraft
    names: Locals
    whole: dict[int, str] = field(default_factory=dict)
    """By where a tool's calls start: the name of what it gives back, where that is given back as it is."""

    def lines(self) -> list[str]:
        template = self.draft.template
        statements = list(self._statements())
        chosen = hoists([self._written(step, use) for step, use in statements])
        lines: list[str] = []
        for (step, use), elements in zip(statements, chosen, strict=True):
            lines += [line for element in elements for line in self._choose(element)]
            lines += self._use(use) if use else self._statement(template.patterns[step], self._before(step))
        if template.returns and not self._returned_at_end():
            lines += self._return()
        return lines

    def _statements(self) -> Iterator[tuple[int, Use | None]]:
        starts = {use.start: use for use in self.draft.uses}
        step = 0
        while step < len(self.draft.template.patterns):
            use = starts.get(step)
            yield step, use
            step = use.stop if use else step + 1

    def _written(self, step: int, use: Use | None) -> list[Expr]:
        pattern = self.draft.template.patterns[step]
        if pattern.guard is not None:
            return []  # what the call needs may not be there where it is not made
        return [expr for _, expr in (use.arguments if use else pattern.arguments)]

    def _choose(self, element: Var) -> list[str]:
        value = spell(element, self.names)
        self.names = self.names.choose(element)
        return layout.lines(layout.around(f"{self.names.chosen[element]} = ", value))

    def _before(self, step: int) -> str:
        if self._returned_at_end() and step == len(self.draft.template.patterns) - 1:
            return "return "
        return f"{self.names.steps[step]} = " if self._needed(step) else ""

    def _use(self, use: Use) -> list[str]:
        arguments = [layout.around(f"{name}=", spell(expr, self.names)) for name, expr in use.arguments]
        result, unpacked = self._result(use)
        return [*layout.lines(layout.call(use.tool, arguments).within(result)), *unpacked]

    def _result(self, use: Use) -> tuple[str, list[str]]:
        """Return what stands before the tool's call, and the lines that take its results apart."""
        needed = [(name, step) for name, step in use.returns if self._needed(step)]
        if self._handed_on(use):
            return "return ", []
        if len(use.returns) == 1 or not needed:
            return f"{self.names.steps[needed[0][1]]} = " if needed else "", []
        found = free("found", self.names.taken)
        self.names = self.names.take(found)
        if self._passed_on(use):
            self.whole[use.start] = found
            return f"{found} = ", []
        return f"{found} = ", [f'{layout.INDENT}{self.names.steps[step]} = {found}["{name}"]' for name, step in needed]

    def _passed_on(self, use: Use) -> bool:
        """Return whether what this tool gives is given back as it is, under the same names, and looked into nowhere."""
        given_back = set(use.returns) <= set(self.draft.template.returns)
        return given_back and not self._used() & {step for _, step in use.returns}

    def _used(self) -> set[int]:
        return {expr.step for expr in self.draft.template.expressions if isinstance(expr, Var)}

    def _handed_on(self, use: Use) -> bool:
        """Return whether the tool gives back just what this last call gives."""
        template = self.draft.template
        last = use.stop == len(template.patterns)
        same = use.returns == template.returns or len(use.returns) == 1
        return last and same and [s for _, s in use.returns] == [s for _, s in template.returns]

    def _returned_at_end(self) -> bool:
        template = self.draft.template
        handed_on = any(self._handed_on(use) for use in self.draft.uses)
        return handed_on or [index for _, index in template.returns] == [len(template.patterns) - 1]

    def _return(self) -> list[str]:
        returns = self.draft.template.returns
        if len(returns) == 1:
            return [f"{layout.INDENT}return {self.names.steps[returns[0][1]]}"]
        items = list(dict.fromkeys(self._returned(name, step) for name, step in returns))
        return layout.lines(layout.display("return {", items, "}"))

    def _returned(self, name: str, step: int) -> str:
        inside = (self.whole[use.start] for use in self.draft.uses if use.start in self.whole and use.gives(step))
        found = next(inside, None)
        return f"**{found}" if found else f'"{name}": {self.names.steps[step]}'

    def _needed(self, step: int) -> bool:
        return step in self._used() or step in {index for _, index in self.draft.template.returns}

    def _statement(self, pattern: Pattern, before: str) -> list[str]:
        if pattern.guard is not None:
            first = [f"{layout.INDENT}{before}None"] if before else []
            condition = guard_text(pattern.guard, self.names)
            return [
                *first,
                f"{layout.INDENT}if {condition}:",
                *self._branches(pattern, before, _left_out(pattern), (), 2),
            ]
        if pattern.pages is not None:
            return self._turn(pattern, pattern.pages, before)
        if pattern.over is not None:
            return self._loop(pattern, before, clauses(pattern, self.names))
        return self._branches(pattern, before, _left_out(pattern))

    def _branches(
        self, pattern: Pattern, before: str, left_out: Sequence[str], skip: Sequence[str] = (), indent: int = 1
    ) -> list[str]:
        """Return one call, or a call for each set of optional arguments that may be given."""
        if not left_out:
            call = layout.call(_path(pattern.function), self._arguments(pattern, skip=skip))
            return layout.lines(call.within(before), indent=indent)
        first, *others = left_out
        parameter = spell(dict(pattern.arguments)[first], self.names)
        return [
            f"{layout.INDENT * indent}if {parameter} is None:",
            *self._branches(pattern, before, others, (*skip, first), indent + 1),
            f"{layout.INDENT * indent}else:",
            *self._branches(pattern, before, others, skip, indent + 1),
        ]

    def _turn(self, pattern: Pattern, pages: Pages, before: str) -> list[str]:
        taken = self.names.taken
        page, number = free("page", taken, "found"), free(identifier(pages.argument), taken, "number")
        number = free(f"{number}_number", taken) if number == page else number
        gathered = before.removesuffix(" = ") if before.endswith(" = ") else free(identifier(pages.items), taken)
        turn = f'{page}["{pages.cursor}"]' if pages.cursor else number
        first = [] if pages.cursor else [f"{layout.INDENT}{number} = {pages.first}"]
        start = number if not pages.cursor else None if pages.first is None else literal(pages.first)
        more = f'{page}["{pages.more}"]'
        return [
            *first,
            *self._page(pattern, pages, page, start, 1),
            f'{layout.INDENT}{gathered} = list({page}["{pages.items}"])',
            f"{layout.INDENT}while {f'{number} < {more}' if pages.counted else more}:",
            *([] if pages.cursor else [f"{layout.INDENT * 2}{number} += 1"]),
            *self._page(pattern, pages, page, turn, 2),
            f'{layout.INDENT * 2}{gathered}.extend({page}["{pages.items}"])',
            *([f"{layout.INDENT}return {gathered}"] if before == "return " else []),
        ]

    def _page(self, pattern: Pattern, pages: Pages, page: str, argument: str | None, indent: int) -> list[str]:
        given = [] if argument is None else [f"{pages.argument}={argument}"]
        call = layout.call(_path(pattern.function), [*self._arguments(pattern), *given])
        return layout.lines(call.within(f"{page} = "), indent=indent)

    def _loop(self, pattern: Pattern, before: str, loop: Clauses) -> list[str]:
        call = layout.call(_path(pattern.function), self._arguments(pattern, item=loop.element))
        if before:
            return layout.lines(layout.comprehension(call, loop.each).within(before))
        heads = [f"{layout.INDENT * depth}{clause}:" for depth, clause in enumerate(loop.each, start=1)]
        return [*heads, *layout.lines(call, indent=len(heads) + 1)]

    def _arguments(self, pattern: Pattern, *, item: str = "", skip: Container[str] = ()) -> list[layout.Piece]:
        given: list[tuple[str, Expr]] = [(name, expr) for name, expr in pattern.arguments if name not in skip]
        return [layout.around(f"{name}=", spell(expr, self.names, item)) for name, expr in given]


def _left_out(pattern: Pattern) -> list[str]:
    return [name for name, expr in pattern.arguments if isinstance(expr, Param) and expr.optional]


def _path(function: str) -> str:
    return f"env.{function}"


def _parameter(parameter: Parameter) -> str:
    default = " = None" if parameter.optional else ""
    return f"{parameter.name}: {parameter.annotation}{default}"


def _class(parameter: Parameter) -> list[str]:
    """Return the class of what a list parameter holds: an object with these fields."""
    if not parameter.fields:
        return []
    fields = [f"{layout.INDENT}{name}: {kind}" for name, kind in parameter.fields]
    return [f"class {element(parameter.annotation)}(TypedDict):", *fields, "", ""]


def _imports(signatures: str, body: Sequence[str]) -> list[str]:
    dates = ["datetime"] if any("datetime.strptime(" in line for line in body) else []
    wanted = {
        "datetime": dates,
        "typing": [name for name in ("Any", "Literal", "TypedDict") if re.search(rf"[\[( ]{name}\b", signatures)],
    }
    lines = [f"from {module} import {', '.join(names)}" for module, names in wanted.items() if names]
    return [*lines, "", ""] if lines else []


def _result_annotation(pattern: Pattern, functions: Mapping[str, FunctionSpec]) -> str:
    kind = annotation(dict(functions[pattern.function].returns))
    if pattern.pages is not None:
        return annotation(property_schema({"properties": _properties(functions, pattern)}, pattern.pages.items))
    return kind if pattern.over is None else f"list[{kind}]"


def _properties(functions: Mapping[str, FunctionSpec], pattern: Pattern) -> Json:
    return functions[pattern.function].returns.get("properties", {})
