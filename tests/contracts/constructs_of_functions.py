"""Constructs of functions and values, each with a program and the value that it must give."""

from __future__ import annotations

from nucleate_sandbox import Json

FUNCTIONS_AND_VALUES: dict[str, tuple[str, Json]] = {
    "annotations": (
        """
from typing import Any

def tool(a: dict[str, Any] | None = None, *, b: 'list[int] | None' = None) -> list[dict[str, Any]]:
    x: list[dict[str, Any]] = [a or {}]
    return x
""",
        [{}],
    ),
    "postponed annotations": (
        """
from __future__ import annotations

def tool(a: Missing = 1) -> Missing | None:
    return a
""",
        1,
    ),
    "a docstring": (
        '''
"""A module."""

def tool():
    """Return one."""
    return 1
''',
        1,
    ),
    "list comprehension": (
        """
def tool():
    return [x * y for x in (1, 2) for y in (3, 4) if x != 2]
""",
        [3, 4],
    ),
    "dict comprehension": (
        """
def tool():
    return {str(k): v for k, v in enumerate('ab')}
""",
        {"0": "a", "1": "b"},
    ),
    "set comprehension": (
        """
def tool():
    return sorted({x % 2 for x in range(5)})
""",
        [0, 1],
    ),
    "generator expression": (
        """
def tool():
    return sum(x for x in range(4))
""",
        6,
    ),
    "any and all": (
        """
def tool():
    return [any(x > 2 for x in [1, 3]), all(x > 2 for x in [1, 3])]
""",
        [True, False],
    ),
    "next of a generator expression": (
        """
def tool():
    return next((x for x in [1, 2] if x > 1), None)
""",
        2,
    ),
    "f-strings": (
        """
def tool():
    return f"{3.14159:.2f} {'a'!r:>5} {1234567:,} {2 + 2 = }"
""",
        "3.14   'a' 1,234,567 2 + 2 = 4",
    ),
    "string methods": (
        """
def tool():
    return ' A,b '.strip().lower().split(',')
""",
        ["a", "b"],
    ),
    "slices": (
        """
def tool():
    return [[1, 2, 3, 4][1:-1], 'abc'[::-1]]
""",
        [[2, 3], "cba"],
    ),
    "unpacking": (
        """
def tool():
    a, *b = [1, 2, 3]
    return [a, b, *b, {**{'x': 1}, 'y': 2}]
""",
        [1, [2, 3], 2, 3, {"x": 1, "y": 2}],
    ),
    "sorting by key": (
        """
def tool():
    return sorted([{'p': 2}, {'p': 1}], key=lambda o: o['p'])[0]['p']
""",
        1,
    ),
    "min by key": (
        """
def tool():
    return min([{'p': 2}, {'p': 1}], key=lambda o: (o['p'], 0))
""",
        {"p": 1},
    ),
    "dict methods": (
        """
def tool():
    d = {}
    d.setdefault('a', []).append(1)
    d.update(b=2)
    return [d.get('c', 0), d.pop('b'), list(d.items())]
""",
        [0, 2, [["a", [1]]]],
    ),
    "dict union": (
        """
def tool():
    return {'a': 1} | {'b': 2}
""",
        {"a": 1, "b": 2},
    ),
    "while with else": (
        """
def tool():
    n = 3
    while n:
        n -= 1
    else:
        n = 'end'
    return n
""",
        "end",
    ),
    "break and continue": (
        """
def tool():
    out = []
    for i in range(9):
        if i % 2:
            continue
        if i > 5:
            break
        out.append(i)
    return out
""",
        [0, 2, 4],
    ),
    "conditional expression": (
        """
def tool(a=None):
    return 'no' if a is None else a
""",
        "no",
    ),
    "walrus": (
        """
def tool():
    return [y for x in [1, 2] if (y := x * 2) > 2]
""",
        [4],
    ),
    "match": (
        """
def tool(v={'kind': 'a', 'n': [1, 2]}):
    match v:
        case {'kind': 'a', 'n': [first, *_]}:
            return first
    return None
""",
        1,
    ),
    "nested functions": (
        """
def tool():
    total = 0
    def add(x):
        nonlocal total
        total += x
    for i in range(3):
        add(i)
    return total
""",
        3,
    ),
    "star arguments": (
        """
def _f(*a, **k):
    return [a, k]
def tool():
    return _f(*[1], **{'b': 2})
""",
        [[1], {"b": 2}],
    ),
    "zip and enumerate": (
        """
def tool():
    return [[i, a, b] for i, (a, b) in enumerate(zip('ab', [1, 2], strict=True), start=1)]
""",
        [[1, "a", 1], [2, "b", 2]],
    ),
    "isinstance with unions": (
        """
def tool():
    return [isinstance(1, int | str), isinstance([], (dict, list))]
""",
        [True, True],
    ),
    "try, else, finally": (
        """
def tool():
    try:
        x = 1
    except ValueError:
        x = 2
    else:
        x += 10
    finally:
        x += 100
    return x
""",
        111,
    ),
    "raise from": (
        """
def tool():
    try:
        raise ValueError('a') from KeyError('b')
    except ValueError as error:
        return str(error)
""",
        "a",
    ),
    "datetime": (
        """
from datetime import date, timedelta
def tool():
    return (date.fromisoformat('2024-02-28') + timedelta(days=2)).isoformat()
""",
        "2024-03-01",
    ),
    "json": (
        """
import json
def tool():
    return json.loads(json.dumps({'a': [1, None]}))
""",
        {"a": [1, None]},
    ),
    "re": (
        r"""
import re
def tool():
    return re.findall(r'(\w)=(\d+)', 'a=1 b=22')
""",
        [["a", "1"], ["b", "22"]],
    ),
    "math": (
        """
import math
def tool():
    return [math.ceil(1.2), math.isclose(0.1 + 0.2, 0.3)]
""",
        [2, True],
    ),
    "counter and defaultdict": (
        """
from collections import Counter, defaultdict
def tool():
    d = defaultdict(list)
    d['a'].append(1)
    return [Counter('aab').most_common(1), dict(d)]
""",
        [[["a", 2]], {"a": [1]}],
    ),
    "decimal": (
        """
from decimal import Decimal
def tool():
    return str(Decimal('0.1') + Decimal('0.2'))
""",
        "0.3",
    ),
    "functools and itertools": (
        """
import functools, itertools
def tool():
    return [functools.reduce(lambda a, b: a + b, [1, 2]), list(itertools.chain([1], [2]))]
""",
        [3, [1, 2]],
    ),
    "method of a type": (
        """
def tool():
    return sorted(['b', 'A'], key=str.lower)
""",
        ["A", "b"],
    ),
    "recursion through a built-in": (
        """
def tool():
    def down(n):
        return sorted([n], key=lambda x: down(n - 1)) if n else []
    return len(down(200))
""",
        1,
    ),
    "function as a replacement": (
        """
import re
def tool():
    return re.sub('a', lambda found: found[0].upper(), 'banana')
""",
        "bAnAnA",
    ),
    "bracket within a character class": (
        """
import re
def tool():
    return re.findall('[a[]', 'a[b')
""",
        ["a", "["],
    ),
    "the last of two functions of one name": (
        """
def tool():
    return 'first'
def tool():
    return 'second'
""",
        "second",
    ),
}
