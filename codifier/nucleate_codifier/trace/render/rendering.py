"""Expressions as Python text, with the local names that they refer to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.annotations import quoted
from nucleate_codifier.trace.conversions import spelled
from nucleate_codifier.trace.expressions import (
    At,
    Best,
    Condition,
    Const,
    Each,
    Expr,
    Guard,
    Item,
    Items,
    Known,
    Mapped,
    Param,
    Path,
    PathElement,
    Record,
    Text,
    Total,
    Turned,
    Var,
    Where,
    depends_on_item,
)
from nucleate_codifier.trace.names import (
    SILENT_VERBS,
    free,
    identifier,
    noun,
    objects,
    participle,
    plural,
    singular,
    verb,
    words,
)
from nucleate_codifier.trace.render.layout import Group, Piece, around, call, comprehension, display
from nucleate_sandbox import Json

FIND = "_find"
"""The function by which a tool chooses an element; tool_source.py writes it beside the tool."""


@dataclass(frozen=True, kw_only=True)
class Locals:
    """The local variable of each step, the names that are taken, and the names of chosen elements."""

    steps: tuple[str, ...]
    taken: frozenset[str]
    chosen: Mapping[Var, str] = field(default_factory=dict)

    @classmethod
    def of(cls, template: Template) -> Locals:
        """Name each step's result after what its function is about; a loop's results in the plural."""
        taken = set(template.parameters)
        steps: list[str] = []
        for step, pattern in enumerate(template.patterns):
            steps.append(free(*_local_names(pattern, taken)))
            taken |= {steps[-1]} if not template.returns or _kept(step, template) else set()
        return cls(steps=tuple(steps), taken=frozenset(taken))

    def take(self, name: str) -> Locals:
        """Return the names with one more that is taken."""
        return replace(self, taken=self.taken | {name})

    def choose(self, var: Var) -> Locals:
        """Return the names with one more: of the element that is chosen."""
        last = next(part for part in reversed(var.path) if isinstance(part, Where | Best))
        called = _last(var.path[:-1], self.steps[var.step])
        name = free(_element(_last(last.among, called), ()), self.taken)
        return replace(self, taken=self.taken | {name}, chosen={**self.chosen, var: name})


@dataclass(frozen=True, kw_only=True)
class Clauses:
    """The `for` clauses of a loop, from the outside in, and the name of the innermost element."""

    each: tuple[str, ...]
    element: str


def spell(expr: Expr, names: Locals, item: str = "") -> Piece:
    """Return the expression as Python that can be laid out."""
    match expr:
        case Const():
            return _literal(expr.value)
        case Param():
            return expr.name
        case Var():
            base, rest = _base(expr, names)
            return _spread(base, rest, names) if _loops(rest) else _along(base, rest, names, item)
        case Item():
            return _along(item, expr.path, names, item)
        case Record():
            return _object([(key, spell(value, names, item)) for key, value in expr.fields])
        case Items():
            return display("[", [spell(part, names, item) for part in expr.items], "]")
        case _:
            return _made(expr, names, item)


def _made(expr: Mapped | Total | Turned | Text, names: Locals, item: str) -> Piece:
    match expr:
        case Turned():
            return spelled(str(spell(expr.of, names, item)), expr.how)
        case Text():
            return _text(expr, names, item)
        case Total():
            return replace(_spread(*_base(expr.of, names), names), before="sum(", after=")")
        case Mapped():
            one = free(_one_of(expr.over, expr.element), names.taken, f"each_{singular(expr.over.name)}")
            return comprehension(spell(expr.element, names, one), [f"for {one} in {expr.over.name}"])


def literal(value: Json) -> str:
    """Return a JSON value as a Python literal with double quotes."""
    return str(_literal(value))


def _literal(value: Json) -> Piece:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return display("[", [_literal(item) for item in value], "]")
    if isinstance(value, dict):
        return _object([(key, _literal(item)) for key, item in value.items()])
    return repr(value)


def _object(fields: Sequence[tuple[str, Piece]]) -> Group:
    return display("{", [around(f"{quoted(key)}: ", value) for key, value in fields], "}")


def clauses(pattern: Pattern, names: Locals) -> Clauses:
    """Return the loop's clauses: `for order in orders`, `for item in order["items"]`."""
    direct = next((identifier(name) for name, expr in pattern.arguments if expr == Item()), None)
    if isinstance(pattern.over, Param):
        looped = next((expr for _, expr in pattern.arguments if depends_on_item(expr)), Item())
        element = free(direct or _one_of(pattern.over, looped), names.taken)
        return Clauses(each=(f"for {element} in {pattern.over.name}",), element=element)
    if pattern.over is None:
        raise ValueError(f"{pattern.function!r} is no loop")
    return _nested(names.steps[pattern.over.step], pattern.over.path, direct, names)


def _one_of(over: Param, element: Expr) -> str:
    """Name an element of a list: after the field that it is compared with, where that is a plural (`options`)."""
    wheres = [part for part in element.path if isinstance(part, Where)] if isinstance(element, Var) else []
    field = next((identifier(where.field) for where in wheres if where.equals == Item()), "")
    return field if field and plural(field) == field else singular(over.name)


def _nested(source: str, path: Path, direct: str | None, names: Locals, *, first: str | None = None) -> Clauses:
    """Return a clause for each list on the path; `first` names the source where it is no name itself."""
    taken = set(names.taken)
    each: list[str] = []
    element, called = source, first or source
    while path:
        stop = next(index for index, part in enumerate(path) if isinstance(part, Each))
        holder = _along(element, path[:stop], names, element)
        over = path[stop]
        ending = ".values()" if isinstance(over, Each) and over.over == "values" else ""
        last = stop == len(path) - 1
        own = _element(called, path[:stop])
        element = free(direct, taken, f"each_{direct}") if last and direct else free(own, taken)
        taken.add(element)
        called = element
        each.append(f"for {element} in {holder}{ending}")
        each += [f"if {_condition(element, one.field, one.equals, names)}" for one in _only(over)]
        path = path[stop + 1 :]
    return Clauses(each=tuple(each), element=element)


def _only(element: PathElement) -> tuple[Condition, ...]:
    return element.only if isinstance(element, Each) else ()


def _element(holder: str, path: Sequence[PathElement]) -> str:
    keys = [part for part in path if isinstance(part, str)]
    return singular(identifier(keys[-1]) if keys else holder)


def _text(text: Text, names: Locals, item: str) -> str:
    """Return an f-string, or a sum of texts where an f-string would need quotes inside its quotes."""
    inner = [part if isinstance(part, str) else str(spell(part, names, item)) for part in text.parts]
    told = list(zip(text.parts, inner, strict=True))
    if any("'" in code or "\\" in code for part, code in told if not isinstance(part, str)):
        return " + ".join(quoted(code) if isinstance(part, str) else f"str({code})" for part, code in told)
    words = [_fixed(code) if isinstance(part, str) else _filled(code) for part, code in told]
    return f'f"{"".join(words)}"'


def _fixed(words: str) -> str:
    return quoted(words)[1:-1].replace("{", "{{").replace("}", "}}")


def _filled(code: str) -> str:
    return "{" + code.replace('"', "'") + "}"


def _loops(path: Path) -> bool:
    return any(isinstance(element, Each) for element in path)


def _spread(base: str, path: Path, names: Locals) -> Group:
    """Return a list of what lies at the path in every element: `[item["id"] for item in order["items"]]`."""
    last = max(index for index, element in enumerate(path) if isinstance(element, Each))
    loop = _nested(base, path[: last + 1], None, names)
    return comprehension(_along(loop.element, path[last + 1 :], names, loop.element), loop.each)


def _base(var: Var, names: Locals) -> tuple[str, Path]:
    """Return the longest part of the variable that has a name, and the path from there."""
    for stop in range(len(var.path), 0, -1):
        name = names.chosen.get(Var(step=var.step, path=var.path[:stop]))
        if name is not None:
            return name, var.path[stop:]
    return names.steps[var.step], var.path


def _along(base: str, path: Sequence[PathElement], names: Locals, item: str) -> Piece:
    piece: Piece = base
    last = base
    for element in path:
        if isinstance(element, Where):
            piece = _chosen(piece, last, element, names, item)
            last = _last(element.among, last)
        elif isinstance(element, Best):
            piece = _extreme(piece, last, element, names)
            last = _last(element.among, last)
        elif isinstance(element, At):
            piece = around("", piece, f"[{spell(element.key, names, item)}]")
        elif isinstance(element, str | int):
            piece = around("", piece, f"[{literal(element)}]")
            last = identifier(element) if isinstance(element, str) else last
    return piece


def _chosen(piece: Piece, last: str, where: Where, names: Locals, item: str) -> Group:
    """Return the call of `FIND` that picks the element."""
    equals = spell(where.equals, names, item)
    return call(FIND, [_among(piece, last, where.among, names), quoted(where.field), equals])


def _among(piece: Piece, last: str, among: Path, names: Locals) -> Piece:
    """Return the list that a choice is made from: as it is, of an object's values, or of the elements in lists."""
    if among == (Each(),):
        return piece
    if among == (Each(over="values"),):
        return around("list(", piece, ".values())")
    loop = _nested(str(piece), among, None, names, first=last)
    return comprehension(loop.element, loop.each)


def _condition(element: str, field: str, equals: Known, names: Locals) -> str:
    value = _along(element, (field,), names, "")
    if equals == Const(value=True):
        return str(value)
    if equals == Const(value=False):
        return f"not {value}"
    return f"{value} {'is' if equals == Const(value=None) else '=='} {spell(equals, names)}"


def guard_text(guard: Guard, names: Locals) -> str:
    """Return the condition as Python."""
    value = _along(*_base(guard.of, names), names, "")
    if isinstance(guard.equals, bool):
        return str(value) if guard.equals == guard.holds else f"not {value}"
    same = ("is", "is not") if guard.equals is None else ("==", "!=")
    return f"{value} {same[0] if guard.holds else same[1]} {literal(guard.equals)}"


def _extreme(piece: Piece, last: str, best: Best, names: Locals) -> Group:
    element = _nested(str(piece), best.among, None, names, first=last).element
    key = f"key=lambda {element}: {_along(element, (best.field,), names, '')}"
    return call("max" if best.most else "min", [_among(piece, last, best.among, names), key])


def _last(among: Path, last: str) -> str:
    return next((identifier(key) for key in reversed(among) if isinstance(key, str)), last)


def _kept(step: int, template: Template) -> bool:
    """Return whether the result needs a name: something refers to it, or it is given back with others, or later."""
    given_back = [one for _, one in template.returns]
    used = any(isinstance(expr, Var) and expr.step == step for expr in template.expressions)
    return used or (step in given_back and given_back != [len(template.patterns) - 1])


def _local_names(pattern: Pattern, taken: set[str]) -> tuple[str, set[str], str, str]:
    about, call = noun(pattern.function), "_".join(words(pattern.function))
    about = identifier(pattern.pages.items) if pattern.pages else about
    name = identifier(about) if about else f"{call}_result"
    name = plural(name) if pattern.repeated and about else name
    full = "_".join(objects(pattern.function)) if about else ""
    done = "" if verb(pattern.function) in SILENT_VERBS or not about else f"{participle(verb(pattern.function))}_{name}"
    return name, taken, "" if full == about else full, done
