"""Answers that are text with a structure: read as values where every answer of a function reads alike.

The text is what an agent sees and what is stored; the value is what its parts can be linked by. A form is chosen for
all the answers of one function in one scope, never for one answer: prose that happens to parse once is prose.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias, TypeGuard

from nucleate_text_memory.recordings.answers.yaml_text import NotStructured, scalar_value, yaml_value
from nucleate_text_memory.values import Json, JsonObject, Step, Trajectory

_LONGEST = 200_000  # characters; a longer text is left as it is
_CUT = re.compile(r"\[… \d+ characters left out …\]")
_FIELD = re.compile(r"[^\W\d][\w .()/#%-]{0,59}")
_FENCE = re.compile(r"```(?:json)?[ \t]*\n((?:(?!```).){2,200000}?)\n```", re.DOTALL)
_BAD_ESCAPE = re.compile(r"\\[^\n\\'\"abfnrtvxuUN0-7]")
_PAIR = re.compile(r"[ \t]*([^:\n]{1,60}):[ \t]+(\S[^\n]*)")
_HEAD = re.compile(r"[ \t]*([^:\n]{1,60}):[ \t]*([^\n]*)")
_PAIRS_IN_LINE = re.compile(r",[ \t]+(?=[^:,\n]{1,60}:[ \t])")
_RULE = re.compile(r"[|+: \t=-]+")
_DELIMITERS = (",", "\t", ";", "|")
_FEWEST = 2  # distinct answers, or rows of one, that forms without marks of their own need


class TextForm(StrEnum):
    """How a text writes a value."""

    JSON = "json"
    PYTHON = "python"
    YAML = "yaml"
    TABLE = "table"
    CSV = "csv"
    PAIRS = "pairs"
    LISTING = "listing"


Forms: TypeAlias = Mapping[str, TextForm]


def forms_of(trajectories: Iterable[Trajectory]) -> Forms:
    """Return, for each function of one scope whose answers are texts that read alike, the form of them."""
    answers: defaultdict[str, list[Json]] = defaultdict(list)
    for trajectory in trajectories:
        for step in trajectory.steps:
            if step.error is None:
                answers[step.function].append(step.result)
    found = {function: form_of(results) for function, results in answers.items()}
    return {function: form for function, form in found.items() if form is not None}


def form_of(answers: Iterable[Json]) -> TextForm | None:
    """Return the form in which every text among a function's answers is a value, all of them alike; None for none.

    Answers that are no text say nothing, nor does one whose middle was left out.
    """
    texts = list(dict.fromkeys(item for item in answers if isinstance(item, str) and not _CUT.search(item)))
    if not texts or any(len(text) > _LONGEST for text in texts):
        return None
    return next((form for form in TextForm if _all_alike(form, texts)), None)


def read_as(form: TextForm, text: str) -> Json:
    """Return the value that a text writes in a form; the text itself where it writes none."""
    try:
        return _READERS[form](text) if len(text) <= _LONGEST else text
    except _FAILURES:
        return text


def structured(trajectory: Trajectory, forms: Forms) -> Trajectory:
    """Return a trajectory with the values that its answers write in place of the texts."""
    return replace(trajectory, steps=tuple(_read(step, forms) for step in trajectory.steps))


def _read(step: Step, forms: Forms) -> Step:
    form = forms.get(step.function)
    if form is None or not isinstance(step.result, str) or step.error is not None:
        return step
    return replace(step, result=read_as(form, step.result))


def _all_alike(form: TextForm, texts: Sequence[str]) -> bool:
    values: list[Json] = []
    for text in texts:
        try:
            values.append(_READERS[form](text))
        except _FAILURES:
            return False
    return _alike(form, values)


def _alike(form: TextForm, values: list[Json]) -> bool:
    """Return whether values are of one kind, and where keys are names of fields, share some of them."""
    told = [value for value in values if value not in (None, [], {})]
    if not told:
        return form in {TextForm.PYTHON, TextForm.YAML}
    if len({type(value) for value in told}) > 1:
        return False
    rows = [row for value in told for row in (value if isinstance(value, list) else [value])]
    if form in {TextForm.CSV, TextForm.PAIRS, TextForm.LISTING} and len(values) < _FEWEST and len(rows) < _FEWEST:
        return False
    if form is TextForm.LISTING:
        return any(len(items) > 1 for row in rows if isinstance(row, dict) for items in row.values() if _is_list(items))
    if form in {TextForm.JSON, TextForm.PYTHON}:
        return True  # what they look like is no accident, and their keys may be data
    fields = [set(row) for row in rows if isinstance(row, dict)]
    return not fields or (len(fields) == len(rows) and bool(set.intersection(*fields)))


def _from_json(text: str) -> Json:
    """Read JSON that words or a fence stand around."""
    fenced = _FENCE.search(text)
    if fenced is not None:
        return _container(json.loads(fenced[1]))
    begin = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if begin < 0:
        raise NotStructured
    value, end = json.JSONDecoder().raw_decode(text, begin)
    if text[end:].strip():
        raise NotStructured
    return _container(value)


def _container(value: Json) -> Json:
    if not isinstance(value, dict | list) or not value:
        raise NotStructured
    return value


def _from_python(text: str) -> Json:
    """Read what Python's `str()` makes of a value: single quotes, None, True."""
    words = text.strip()
    if words != "None" and (words[:1] not in "[{(" or _BAD_ESCAPE.search(words)):
        raise NotStructured
    return _plain(ast.literal_eval(words))


def _plain(value: object) -> Json:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise NotStructured


def _from_yaml(text: str) -> Json:
    value = yaml_value(text)
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or len(value) < _FEWEST or not all(map(_FIELD.fullmatch, value)):
        raise NotStructured
    return value


def _from_table(text: str) -> Json:
    """Read rows between bars, as Markdown and terminals draw them, below a header."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    drawn = [line for line in lines if "|" in line and not _RULE.fullmatch(line)]
    if len(drawn) < _FEWEST or len(drawn) == len(lines) or any(not _RULE.fullmatch(x) for x in lines if x not in drawn):
        raise NotStructured
    return _rows([[cell.strip() for cell in line.strip("|").split("|")] for line in drawn])


def _from_csv(text: str) -> Json:
    lines = text.strip().splitlines()
    for delimiter in _DELIMITERS:
        if lines and delimiter in lines[0]:
            return _rows(list(csv.reader(lines, delimiter=delimiter, strict=True)))
    raise NotStructured


def _rows(cells: list[list[str]]) -> Json:
    header, *rows = cells
    named = len(header) > 1 and len(set(header)) == len(header) and all(map(_FIELD.fullmatch, header))
    if not named or not rows or any(len(row) != len(header) for row in rows):
        raise NotStructured
    return [dict(zip(header, map(scalar_value, row), strict=True)) for row in rows]


def _from_pairs(text: str) -> Json:
    """Read `key: value` lines as one object, lines of `key: value, key: value` as a list of objects."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    records = [[_pair(part) for part in _PAIRS_IN_LINE.split(line)] for line in lines]
    pairs = [[(pair[1].strip(), scalar_value(pair[2].strip())) for pair in record if pair] for record in records]
    whole = all(len(read) == len(record) for read, record in zip(pairs, records, strict=True))
    if not pairs or not whole or not all(_FIELD.fullmatch(key) for record in pairs for key, _ in record):
        raise NotStructured
    if all(len(record) > 1 for record in pairs):
        return [_object(record) for record in pairs]
    if len(pairs) < _FEWEST or any(len(record) > 1 for record in pairs):
        raise NotStructured
    return _object([record[0] for record in pairs])


def _pair(text: str) -> re.Match[str] | None:
    """Return the key and value of a text; a heading before the first pair of a line (`Found: ID: 7`) is passed over."""
    found = _PAIR.fullmatch(text)
    return found and (_PAIR.fullmatch(found[2]) or found)


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotStructured
    return found


def _from_listing(text: str) -> Json:
    """Read `heading: item` and the items below it, a line each."""
    first, *rest = text.strip().splitlines() or [""]
    head = _HEAD.fullmatch(first)
    if head is None or any(not line.strip() or line.strip()[0] in "-*•" or ":" in line for line in rest):
        raise NotStructured
    return {head[1].strip(): [scalar_value(item.strip()) for item in (head[2], *rest) if item.strip()]}


def _is_list(value: Json) -> TypeGuard[list[Json]]:
    return isinstance(value, list)


_FAILURES = (NotStructured, ValueError, SyntaxError, TypeError, MemoryError, RecursionError, csv.Error)
_READERS: Mapping[TextForm, Callable[[str], Json]] = {
    TextForm.JSON: _from_json,
    TextForm.PYTHON: _from_python,
    TextForm.YAML: _from_yaml,
    TextForm.TABLE: _from_table,
    TextForm.CSV: _from_csv,
    TextForm.PAIRS: _from_pairs,
    TextForm.LISTING: _from_listing,
}
