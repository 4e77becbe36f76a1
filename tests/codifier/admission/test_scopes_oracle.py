"""Names as the compiler sees them: generated programs, with Python's own symbol table as the oracle."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nucleate_codifier.admission.reading.scopes import resolve

NAMES = st.sampled_from(["a", "b", "c", "env", "len"])


def _expressions() -> st.SearchStrategy[str]:
    return st.recursive(NAMES, _compound, max_leaves=6)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    name = NAMES
    return st.one_of(
        st.builds("({} + {})".format, inner, inner),
        st.builds("{}({}, *{}, k={}, **{})".format, inner, inner, inner, inner, inner),
        st.builds("{}.{}[{}]".format, inner, name, inner),
        st.builds("(lambda {}={}, *x, **y: {})".format, name, inner, inner),
        st.builds("[{} for {} in {} if {}]".format, inner, name, inner, inner),
        st.builds("{{{}: {} for {} in {} for {} in {}}}".format, inner, inner, name, inner, name, inner),
        st.builds("f'{{{}!r:>{{{}}}}}'".format, name, name),
        st.builds("({} if {} else {})".format, inner, inner, inner),
    )


def _statements() -> st.SearchStrategy[str]:
    return st.recursive(_simple(), _blocks, max_leaves=8)


def _simple() -> st.SearchStrategy[str]:
    value = _expressions()
    return st.one_of(
        st.builds("{} = {}".format, NAMES, value),
        st.builds("{}, *{} = {}".format, NAMES, NAMES, value),
        st.builds("{}: {} = {}".format, NAMES, NAMES, value),
        st.builds("{}[{}] = {}".format, NAMES, value, value),
        st.builds("{} += {}".format, NAMES, value),
        st.builds("print({} := {})".format, NAMES, value),
        st.builds("print([({} := q) for q in {}])".format, NAMES, value),
        st.builds("import m.n as {}".format, NAMES),
        st.builds("del {}".format, NAMES),
        st.builds("class {}:\n    {} = 1\n    def f(self):\n        return {}".format, NAMES, NAMES, value),
        st.builds("def f_{}({}):\n    class C:\n        {} = {}\n    return C, {}".format, *[NAMES] * 3, value, NAMES),
        value,
    )


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(lambda lines: indent("\n".join(lines), "    "))
    return st.one_of(
        st.builds("def {}({}, *, k: {} = {}):\n{}".format, NAMES, NAMES, NAMES, NAMES, body),
        st.builds("async def {}() -> {}:\n{}".format, NAMES, NAMES, body),
        st.builds("@{}\nclass {}({}):\n{}".format, NAMES, NAMES, NAMES, body),
        st.builds("for {} in {}:\n{}".format, NAMES, NAMES, body),
        st.builds("try:\n{}\nexcept {} as {}:\n{}".format, body, NAMES, NAMES, body),
        st.builds("with {} as {}:\n{}".format, NAMES, NAMES, body),
        st.builds("match {}:\n  case [{}, {{**{}}}]:\n{}".format, NAMES, NAMES, st.just("rest"), body),
        st.builds("def f_{}():\n    global {}\n{}".format, NAMES, NAMES, body),
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.lists(_statements(), min_size=1, max_size=4).map("\n".join))
def test_names_are_bound_and_free_as_the_compiler_says(text: str) -> None:
    try:
        table = symtable.symtable(text, "<generated>", "exec")
    except SyntaxError:
        return
    names = resolve(ast.parse(text))
    bound = set(_bound(table))
    assert names.module_names == bound
    assert {use.id for use in names.free} == {name for name in _read(table) if name not in bound}


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _bound(table: symtable.SymbolTable) -> Iterator[str]:
    for inner in _tables(table):
        for symbol in inner.get_symbols():
            here = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
            if here and (inner is table or symbol.is_declared_global()):
                yield symbol.get_name()


def _read(table: symtable.SymbolTable) -> Iterator[str]:
    for inner in _tables(table):
        for symbol in inner.get_symbols():
            if symbol.is_referenced() and (inner is table or symbol.is_global()):
                yield symbol.get_name()
