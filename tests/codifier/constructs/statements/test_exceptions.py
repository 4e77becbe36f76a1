"""`try`, `raise` and `assert`: with a class, and no way to what ends a program."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "try:\n    pass\nexcept ValueError:\n    pass",
    "try:\n    assert n, 'text'\nexcept (KeyError, FunctionError) as error:\n    raise ValueError('no') from error\nelse:\n    pass\nfinally:\n    print(n)",
    "try:\n    pass\nexcept Exception:\n    raise",
    "raise ValueError",
    "raise ValueError from None",
]
REFUSED = [
    ("try:\n    pass\nexcept:\n    pass", [("policy/bare-except", 3)]),
    ("try:\n    pass\nexcept BaseException:\n    pass", [("policy/builtin", 3)]),
    ("try:\n    pass\nexcept (ValueError, SystemExit):\n    pass", [("policy/builtin", 3)]),
    ("raise KeyboardInterrupt", [("policy/builtin", 1)]),
    ("raise GeneratorExit()", [("policy/builtin", 1)]),
    ("try:\n    pass\nexcept AttributeError as error:\n    return error.obj", [("policy/attribute", 4)]),
    ("try:\n    pass\nexcept ValueError as error:\n    return error.__traceback__", [("policy/attribute", 4)]),
    ("try:\n    pass\nexcept ValueError as error:\n    return error.with_traceback(None)", [("policy/attribute", 4)]),
    ("try:\n    pass\nexcept ValueError as env:\n    pass", [("policy/shadow", 3)]),
    ("try:\n    pass\nexcept ValueError as __e:\n    pass", [("policy/name", 3)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_exceptions_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_exceptions_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
