"""Names and where they are bound, by Python's own rules: functions, lambdas, comprehensions, classes, `global`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class NameBinding:
    """A name is bound here: in the module itself, or in a scope within it."""

    name: str
    line: int
    in_module: bool


@dataclass(frozen=True, kw_only=True)
class Names:
    """Every name of a module: its bindings, and the uses that no inner scope answers."""

    module: ast.Module
    bindings: tuple[NameBinding, ...]
    outer_uses: tuple[ast.Name, ...]

    @property
    def module_names(self) -> frozenset[str]:
        """Return what the module itself binds."""
        return frozenset(binding.name for binding in self.bindings if binding.in_module)

    @property
    def free(self) -> tuple[ast.Name, ...]:
        """Return the uses that the module does not answer: builtins, what the harness provides, or mistakes."""
        return tuple(use for use in self.outer_uses if use.id not in self.module_names)


def resolve(module: ast.Module) -> Names:
    """Return a module's names. Nothing runs: the tree alone decides."""
    walk = _Walk()
    walk.bind(module.body, _Scope(kind="module"))
    return Names(module=module, bindings=tuple(walk.bindings), outer_uses=tuple(walk.uses))


@dataclass(kw_only=True)
class _Scope:
    kind: str
    parent: _Scope | None = None
    names: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)

    def answers(self, name: str) -> bool:
        """Return whether this scope or one around it binds the name, the module's own scope aside."""
        if self.kind == "module" or name in self.outside:
            return False
        if name in self.names:
            return True
        parent = self.parent
        while parent is not None and parent.kind == "class":  # a class's names end where a function in it begins
            parent = parent.parent
        return parent is not None and parent.answers(name)


class _Walk:
    def __init__(self) -> None:
        self.bindings: list[NameBinding] = []
        self.uses: list[ast.Name] = []

    def bind(self, body: Sequence[ast.AST], scope: _Scope) -> None:
        """Collect what the statements bind in their scope, then look at every use in them."""
        for node in _within(body):
            if isinstance(node, ast.Global):
                scope.outside |= set(node.names)
        for node in _within(body):
            for name in _bound(node):
                self._add(name, getattr(node, "lineno", 0), scope)
        for node in body:
            self._visit(node, scope)

    def _add(self, name: str, line: int, scope: _Scope) -> None:
        module = scope.kind == "module" or name in scope.outside
        scope.names.add(name)
        self.bindings.append(NameBinding(name=name, line=line, in_module=module))

    def _visit(self, node: ast.AST, scope: _Scope) -> None:
        match node:
            case ast.Name():
                if not scope.answers(node.id) and isinstance(node.ctx, ast.Load):
                    self.uses.append(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, scope)
            case ast.Lambda():
                self._each(_defaults(node.args), scope)
                self._inner([node.body], scope, _parameters(node.args))
            case ast.ClassDef():
                self._each([*node.decorator_list, *node.bases, *node.keywords], scope)
                self.bind(node.body, _Scope(kind="class", parent=scope))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case _:
                self._each(ast.iter_child_nodes(node), scope)

    def _each(self, nodes: Iterable[ast.AST], scope: _Scope) -> None:
        for node in nodes:
            self._visit(node, scope)

    def _function(self, node: Function, scope: _Scope) -> None:
        annotations = [argument.annotation for argument in _parameters(node.args) if argument.annotation]
        self._each([*node.decorator_list, *_defaults(node.args), *annotations], scope)
        if node.returns is not None:
            self._visit(node.returns, scope)
        self._inner(node.body, scope, _parameters(node.args))

    def _inner(self, body: Sequence[ast.AST], parent: _Scope, parameters: Iterable[ast.arg]) -> None:
        scope = _Scope(kind="function", parent=parent)
        for parameter in parameters:
            self._add(parameter.arg, parameter.lineno, scope)
        self.bind(body, scope)

    def _comprehension(self, node: Comprehension, scope: _Scope) -> None:
        inner = _Scope(kind="comprehension", parent=scope)
        for generator in node.generators:
            for target in ast.walk(generator.target):
                if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
                    self._add(target.id, target.lineno, inner)
        self._visit(node.generators[0].iter, scope)  # the first iterable belongs to the scope around
        for number, generator in enumerate(node.generators):
            self._each([generator.target, *generator.ifs, *([generator.iter] if number else [])], inner)
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._each(values, inner)


def _within(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes whose bindings belong to the scope of these statements."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(list(_same_scope(node)))


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield from node.decorator_list
        case ast.Lambda():
            yield from _defaults(node.args)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            # A walrus in a comprehension binds in the scope around it.
            yield from (inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))
        case _:
            yield from ast.iter_child_nodes(node)


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case (
            ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name)
        ):
            yield name
        case ast.MatchMapping(rest=str() as name):
            yield name


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(item for item in arguments.kw_defaults if item is not None)]
