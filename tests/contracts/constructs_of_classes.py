"""Constructs of classes and the standard library, each with a program and the value that it must give."""

from __future__ import annotations

from nucleate_sandbox import Json

CLASSES_AND_LIBRARY: dict[str, tuple[str, Json]] = {
    "a plain class": (
        """
class Box:
    def __init__(self, x):
        self.x = x
    def twice(self):
        return 2 * self.x
def tool():
    return Box(3).twice()
""",
        6,
    ),
    "calls in a loop": (
        """
def tool():
    return [env.shop.echo(value=i)['n'] for i in [{'n': 1}, {'n': 2}]]
""",
        [1, 2],
    ),
    "paging": (
        """
def tool():
    pages, page = [], 0
    while True:
        got = env.shop.echo(value=page)
        if got >= 3:
            return pages
        pages.append(got)
        page += 1
""",
        [0, 1, 2],
    ),
    "del": (
        """
def tool():
    d = {'a': 1, 'b': 2}
    del d['a']
    return d
""",
        {"b": 2},
    ),
    "generator function": (
        """
def _count(n):
    for i in range(n):
        yield i
def tool():
    return list(_count(2))
""",
        [0, 1],
    ),
    "an exception class": (
        """
class Odd(ValueError):
    pass
def tool():
    try:
        raise Odd('x')
    except Odd as error:
        return str(error)
""",
        "x",
    ),
    "inheritance": (
        """
class A:
    x = 1
class B(A):
    pass
def tool():
    return B().x
""",
        1,
    ),
    "a property": (
        """
class A:
    @property
    def x(self):
        return 1
def tool():
    return A().x
""",
        1,
    ),
    "enum": (
        """
from enum import Enum
class Kind(Enum):
    A = 'a'
def tool():
    return Kind.A.value
""",
        "a",
    ),
    "typed dictionary": (
        """
from typing import TypedDict
class Offer(TypedDict):
    id: int
def tool():
    offer: Offer = {'id': 1}
    return offer
""",
        {"id": 1},
    ),
    "abstract collections": (
        """
from collections.abc import Sequence
def tool(a: Sequence[int] = ()):
    return list(a)
""",
        [],
    ),
    "statistics": (
        """
import statistics
def tool():
    return statistics.mean([1, 3])
""",
        2,
    ),
    "heapq": (
        """
import heapq
def tool():
    return heapq.nsmallest(1, [3, 1])
""",
        [1],
    ),
    "operator": (
        """
from operator import itemgetter
def tool():
    return sorted([{'a': 2}, {'a': 1}], key=itemgetter('a'))[0]['a']
""",
        1,
    ),
    "string module": (
        """
import string
def tool():
    return string.digits
""",
        "0123456789",
    ),
    "urllib": (
        """
from urllib.parse import quote
def tool():
    return quote('a b')
""",
        "a%20b",
    ),
    "callable": (
        """
def tool():
    return callable(tool)
""",
        True,
    ),
}
