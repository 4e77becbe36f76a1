"""Expressions and paths as JSON, and back."""

from __future__ import annotations

from typing import Any, TypeAlias

from nucleate_codifier.trace.expressions import (
    At,
    Best,
    Condition,
    Const,
    Each,
    Expr,
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
)
from nucleate_sandbox import Json, JsonObject

Fields: TypeAlias = dict[str, Any]


def expression_to_json(expr: Expr) -> JsonObject:
    """Return an object with one telling key: const, param, result, item, record, list, map, total, turned or text."""
    match expr:
        case Const():
            return {"const": expr.value}
        case Param():
            return {"param": expr.name, "optional": True} if expr.optional else {"param": expr.name}
        case Var():
            return {"result": expr.step, "path": _path_to_json(expr.path)}
        case Item():
            return {"item": _path_to_json(expr.path)}
        case Record():
            return {"record": {key: expression_to_json(value) for key, value in expr.fields}}
        case Items():
            return {"list": [expression_to_json(item) for item in expr.items]}
        case _:
            return _made_to_json(expr)


def _made_to_json(expr: Mapped | Total | Turned | Text) -> JsonObject:
    match expr:
        case Turned():
            return {"turned": expression_to_json(expr.of), "how": expr.how}
        case Text():
            return {"text": [part if isinstance(part, str) else expression_to_json(part) for part in expr.parts]}
        case Total():
            return {"total": expression_to_json(expr.of)}
        case Mapped():
            return {"map": expression_to_json(expr.element), "over": expr.over.name}


def expression_from_json(value: Fields) -> Expr:
    """Read what expression_to_json wrote; ValueError names what it does not know."""
    if "const" in value:
        return Const(value=value["const"])
    if "param" in value:
        return Param(name=value["param"], optional=value.get("optional", False))
    if "result" in value:
        return Var(step=value["result"], path=_path_from_json(value["path"]))
    if "item" in value:
        return Item(path=_path_from_json(value["item"]))
    if "record" in value:
        return Record(fields=tuple((key, expression_from_json(field)) for key, field in value["record"].items()))
    if "list" in value:
        return Items(items=tuple(expression_from_json(item) for item in value["list"]))
    return _made_from_json(value)


def _made_from_json(value: Fields) -> Expr:
    if "turned" in value:
        return _turned(value)
    if "text" in value:
        return Text(parts=tuple(_part(part) for part in value["text"]))
    if "total" in value:
        return Total(of=_variable(value["total"]))
    if "map" in value:
        return Mapped(over=Param(name=value["over"]), element=expression_from_json(value["map"]))
    raise ValueError(f"{value!r} is not an expression of a template; codify the plan again")


def _path_to_json(path: Path) -> list[Json]:
    return [_element_to_json(element) for element in path]


def _path_from_json(path: list[Any]) -> Path:
    return tuple(_element_from_json(element) for element in path)


def _element_to_json(element: PathElement) -> Json:
    match element:
        case Each(only=()):
            return {"each": element.over}
        case Each():
            return {"each": element.over, "only": {one.field: expression_to_json(one.equals) for one in element.only}}
        case Where():
            return {
                "where": element.field,
                "equals": expression_to_json(element.equals),
                "among": _path_to_json(element.among),
            }
        case Best():
            key = "greatest" if element.most else "least"
            return {key: element.field, "among": _path_to_json(element.among)}
        case At():
            return {"at": expression_to_json(element.key)}
        case _:
            return element


def _element_from_json(element: Any) -> PathElement:
    if isinstance(element, str | int):
        return element
    if "each" in element:
        only = element.get("only", {}).items()
        return Each(
            over=element["each"], only=tuple(Condition(field=field, equals=_known(value)) for field, value in only)
        )
    among = _path_from_json(element.get("among", [{"each": "items"}]))
    if "where" in element:
        return Where(field=element["where"], equals=_known(element["equals"]), among=among)
    if "least" in element or "greatest" in element:
        most = "greatest" in element
        return Best(field=element["greatest" if most else "least"], most=most, among=among)
    if "at" in element:
        return At(key=_known(element["at"]))
    raise ValueError(f"{element!r} is not an element of a path; codify the plan again")


def _turned(value: Fields) -> Turned:
    return Turned(of=_known(value["turned"]), how=value["how"])


def _part(value: Any) -> str | Known | Turned:
    if isinstance(value, str):
        return value
    return _turned(value) if "turned" in value else _known(value)


def _variable(value: Fields) -> Var:
    expr = expression_from_json(value)
    if not isinstance(expr, Var):
        raise ValueError(f"{value!r} is no list of an earlier result; codify the plan again")
    return expr


def _known(value: Fields) -> Known:
    expr = expression_from_json(value)
    if not isinstance(expr, Const | Param | Var | Item):
        raise ValueError(f"{value!r} selects by no value, parameter or result; codify the plan again")
    return expr
