"""Which constructs of the language a tool may use: RestrictedPython's transformer, extended by house rules.

The transformer denies by default; `grammar` decides what it does not know, or knows too narrowly. Its rewritten tree is
thrown away: only what it objects to is kept.
"""

from __future__ import annotations

import ast
from string import Formatter
from typing import Any

from RestrictedPython.transformer import RestrictingNodeTransformer

from nucleate_codifier.admission.policy.grammar import why_not
from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.values import Finding

DECORATORS = frozenset({"dataclass", "dataclasses.dataclass", "unique", "enum.unique"})
_CHANCE = frozenset({"now", "today", "utcnow", "samples"})
_WALKS = frozenset({"mro", "obj", "with_traceback"})
_RULES: dict[type[ast.AST], tuple[str, str]] = {
    ast.Attribute: ("attribute", "use the public parts of a value"),
    ast.Import: ("import", "import names from modules on the policy's list"),
    ast.ImportFrom: ("import", "import names from modules on the policy's list"),
    ast.ClassDef: ("class", "use a plain TypedDict, dataclass or Enum"),
    ast.Call: ("builtin", "write the code itself in place of text that is run"),
}


def objections(module: ast.Module) -> list[Finding]:
    """Return what the policy has against the constructs of a tree, which it may change: hand in a fresh one."""
    return [finding for _, finding in refused_nodes(module)]


def refused_nodes(module: ast.Module) -> list[tuple[ast.AST, Finding]]:
    """Return the same with the nodes themselves, whose places in the text stay what they were."""
    transformer = _HousePolicy()
    transformer.visit(module)
    return transformer.refused


class _HousePolicy(RestrictingNodeTransformer):
    def __init__(self) -> None:
        super().__init__()
        self.refused: list[tuple[ast.AST, Finding]] = []
        self._templates: dict[str, str] = {}

    def refuse(self, node: ast.AST, rule: str, message: str, fix: str) -> None:
        line = getattr(node, "lineno", None)
        self.refused.append((node, Finding(rule=f"policy/{rule}", line=line, message=message, fix=fix)))

    def error(self, node: ast.AST, info: str) -> None:
        rule, fix = _RULES.get(type(node), ("construct", "write it with plainer statements"))
        if isinstance(node, ast.Attribute):
            info = f"the attribute {quoted(node.attr)} leads behind the value"
        self.refuse(node, rule, info[:120].rstrip("."), fix)

    def not_allowed(self, node: ast.AST) -> None:
        kind = type(node).__name__
        message = f"{kind} is not allowed in a tool: {why_not(kind)}"
        self.refuse(node, "construct", message, "write it with plainer statements")

    def generic_visit(self, node: ast.AST) -> Any:
        """Decide a node that the transformer has no rule for."""
        if why_not(type(node).__name__) is not None:
            self.not_allowed(node)
            return node
        return self.node_contents_visit(node)

    def check_name(self, node: ast.AST, name: str | None, allow_magic_methods: bool = False) -> None:  # noqa: ARG002
        if name is not None and (name.startswith("__") or name.endswith("__roles__")):
            self.refuse(node, "name", f"the name {quoted(name)} is the interpreter's own", "choose a name without `__`")

    def visit_Module(self, node: ast.Module) -> Any:  # noqa: N802
        self._templates = _templates(node)
        for use in _blinding(node):
            self.refuse(
                use,
                "member",
                "TYPE_CHECKING shows the checker other code than the one that runs",
                "use it for imports at the top of the module alone",
            )
        return super().visit_Module(node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> Any:  # noqa: N802
        for name in node.names:
            self.check_name(node, name)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:  # noqa: N802
        if node.attr in _WALKS:
            self.error(node, "")
        if node.attr in _CHANCE and not _is_environment(node):
            self.refuse(
                node,
                "clock",
                f"`.{node.attr}` answers otherwise each time, so the tool cannot be tested or replayed",
                "make it a parameter, or ask the environment",
            )
        if not isinstance(node.ctx, ast.Load):
            self.refuse(
                node,
                "attribute-write",
                f"the attribute {quoted(node.attr)} is assigned or deleted",
                "build a new value in place of changing one",
            )
        if node.attr in {"format", "format_map"} and not getattr(node, "is_plain_format", False):
            self.refuse(
                node,
                "format",
                f"`.{node.attr}` is not a direct call on literal text with plain fields",
                'write an f-string, or "literal {name}".format(name=value)',
            )
        return super().visit_Attribute(node)

    def visit_Call(self, node: ast.Call) -> Any:  # noqa: N802
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str() as text), attr="format") if _has_plain_fields(text):
                node.func.is_plain_format = True  # type: ignore[attr-defined]
            case ast.Attribute(value=ast.Name(id=name), attr="format") if _has_plain_fields(
                self._templates.get(name, "{")
            ):
                node.func.is_plain_format = True  # type: ignore[attr-defined]
        return super().visit_Call(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:  # noqa: N802
        self._decorators(node)
        return super().visit_FunctionDef(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:  # noqa: N802
        self._decorators(node)
        self.check_name(node, node.name)
        self.check_function_argument_names(node)
        return self.node_contents_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:  # noqa: N802
        self._decorators(node)
        for keyword in node.keywords:
            if keyword.arg not in {"total", "metaclass"}:  # the base class speaks about `metaclass`
                self.error(node, f"the class argument {quoted(keyword.arg or '**')} is not allowed")
        return super().visit_ClassDef(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:  # noqa: N802
        if node.type is None:
            self.refuse(
                node, "bare-except", "a bare `except` also catches what ends a program", "write `except Exception`"
            )
        return super().visit_ExceptHandler(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> Any:  # noqa: N802
        if not isinstance(node.cls, ast.Name) or node.kwd_attrs:
            self.refuse(node, "match-class", "a class pattern reads attributes", "match the plain type: `case str():`")
        return self.node_contents_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> Any:  # noqa: N802
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> Any:  # noqa: N802
        self.check_name(node, node.name)
        return self.node_contents_visit(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> Any:  # noqa: N802
        self.check_name(node, node.rest)
        return self.node_contents_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:  # noqa: N802
        return self.node_contents_visit(node)  # attributes are refused as such; elements are counted up everywhere

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        if node.is_async:
            self.refuse(node.target, "construct", "an asynchronous comprehension is not allowed", "use a loop")
        return super().visit_comprehension(node)

    def visit_Global(self, node: ast.Global) -> Any:  # noqa: N802
        self.not_allowed(node)
        return node

    def visit_Await(self, node: ast.Await) -> Any:  # noqa: N802
        return self.node_contents_visit(node)

    def _decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if name not in DECORATORS or not isinstance(node, ast.ClassDef):
                self.refuse(
                    decorator,
                    "decorator",
                    f"the decorator {quoted(name)} runs when the module is loaded",
                    "call it inside the function, or do without",
                )


def _templates(module: ast.Module) -> dict[str, str]:
    """Return the texts of the module that have one name, which is bound nowhere else."""
    bound = [
        *(node.id for node in ast.walk(module) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)),
        *(node.arg for node in ast.walk(module) if isinstance(node, ast.arg)),
        *(name for node in ast.walk(module) if isinstance(node, ast.MatchAs | ast.MatchStar) and (name := node.name)),
        *(node.rest for node in ast.walk(module) if isinstance(node, ast.MatchMapping) and node.rest),
        *(node.name for node in ast.walk(module) if isinstance(node, ast.ExceptHandler) and node.name),
        *(alias.asname or alias.name for node in ast.walk(module) if isinstance(node, ast.Import | ast.ImportFrom)
          for alias in node.names),
    ]  # fmt: skip
    found: dict[str, str] = {}
    for statement in module.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str() as text))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str() as text))
            ) if bound.count(name) == 1:
                found[name] = text
    return found


def _blinding(module: ast.Module) -> list[ast.expr]:
    """Return the uses of TYPE_CHECKING that are not the condition of an import at the top of the module."""
    plain = {id(node.test) for node in module.body if isinstance(node, ast.If)}
    uses = [node for node in ast.walk(module) if isinstance(node, ast.Name | ast.Attribute)]
    named = [node for node in uses if (node.id if isinstance(node, ast.Name) else node.attr) == "TYPE_CHECKING"]
    return [node for node in named if id(node) not in plain]


def _is_environment(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "env"


def _has_plain_fields(text: str) -> bool:
    """Return whether a format string only names its arguments: no attribute and no element of them."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return False
    fields = [name for _, name, _, _ in parts if name is not None]
    specs = [spec for _, _, spec, _ in parts if spec]
    return all(not set(name) & set(".[") for name in fields) and all("{" not in spec for spec in specs)
