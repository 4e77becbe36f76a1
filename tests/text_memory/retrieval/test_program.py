"""Retrieval programs are data: they survive JSON, and a wrong one gets one clear error."""

from __future__ import annotations

import pytest

from nucleate_text_memory import BadProgram, Collection, Document, retrieve
from nucleate_text_memory.retrieval import PRIMITIVES, Program, read_program, seed, seeds
from nucleate_text_memory.retrieval.program import Rescore


def test_three_programs_ship_with_the_package() -> None:
    assert seeds() == ("default", "hybrid", "lexical")


@pytest.mark.parametrize("name", ["default", "hybrid", "lexical"])
def test_a_program_survives_json(name: str) -> None:
    program = seed(name)
    assert program.name == name
    assert read_program(program.model_dump_json()) == program


def test_the_primitives_are_those_of_search_expansion_and_processing() -> None:
    assert set(PRIMITIVES) == {
        *("dense", "entity", "lexical"),
        *("relation", "similarity", "temporal"),
        *("filter", "fuse", "pack", "prefer", "rescore"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"name": "x", "steps": [{"op": "guess"}]}',
            r"steps.0: unknown primitive 'guess'; known: dense, entity, filter, fuse, lexical, pack, prefer, ",
        ),
        ('{"name": "x", "steps": [{}]}', r"steps.0: unknown primitive None; known: dense"),
        ('{"name": "x", "steps": [{"op": "lexical", "limit": 0}]}', r"steps.0.lexical.limit: .* not 0"),
        ('{"name": "x", "steps": [{"op": "lexical", "top": 1}]}', r"steps.0.lexical.top: Extra inputs .* not 1"),
        ('{"name": "x", "steps": []}', r"steps: .* at least 1 item"),
        ('{"name": "X y", "steps": [{"op": "lexical"}]}', r"name: .* not 'X y'"),
        ("[]", r"program: "),
        ("{", r"program: Invalid JSON"),
    ],
)
def test_a_wrong_program_is_refused_with_the_place_and_the_value(text: str, message: str) -> None:
    with pytest.raises(BadProgram, match=message):
        read_program(text)


def test_an_unknown_program_and_unknown_weights_are_named_with_those_that_exist() -> None:
    collection = Collection([Document(id="a", text="x")])
    with pytest.raises(BadProgram, match="no program 'best' ships with the package; known: default, hybrid, lexical"):
        retrieve("x", collection, program="best")
    program = Program.model_validate({"name": "x", "steps": [{"op": "lexical"}, Rescore(weights="../x")]})
    with pytest.raises(BadProgram, match=r"no weights '\.\./x' ships with the package; known: default"):
        retrieve("x", collection, program=program)
