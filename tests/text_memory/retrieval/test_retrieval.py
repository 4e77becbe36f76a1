"""Programs of primitives find the evidence, pack it to a budget, and say why each document is there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nucleate_text_memory import (
    Collection,
    Document,
    LocalEmbedder,
    MemoryFault,
    Program,
    Query,
    UnknownScope,
    retrieve,
)
from nucleate_text_memory.retrieval.program import Entity, Filter, Lexical, Prefer, Relation, Similarity, Temporal
from tests.text_memory.runs import MissingEmbedder

TALK = (
    ("1", "Ada", "How was the trip to the coast?"),
    ("2", "Bob", "Wonderful, we rented a small sailing boat for three days."),
    ("3", "Ada", "I would be seasick at once."),
    ("4", "Bob", "The invoice INV-2041 for the boat is still unpaid."),
    ("5", "Ada", "明日は注文をキャンセルします。"),
)


def talk() -> Collection:
    documents = [
        Document(id=id_, author=author, text=text, group="one", time=datetime(2024, 5, int(id_), 9, 30))
        for id_, author, text in TALK
    ]
    return Collection(documents, embedder=LocalEmbedder())


def ids(query: str | Query, collection: Collection, *steps: object, **options: int) -> list[str]:
    program = Program.model_validate({"name": "tried", "steps": steps})
    return [hit.document.id for hit in retrieve(query, collection, program=program, **options).hits]


@pytest.mark.parametrize("program", ["default", "hybrid", "lexical"])
@pytest.mark.parametrize(("query", "best"), [("sailing boats", "2"), ("INV-2041", "4"), ("注文のキャンセル", "5")])
def test_every_seed_program_puts_the_answer_first(program: str, query: str, best: str) -> None:
    assert retrieve(query, talk(), program=program).hits[0].document.id == best


def test_a_hit_says_which_search_found_it_and_what_was_matched() -> None:
    hit = retrieve("Who paid INV-2041 for the boat?", talk(), program="hybrid").hits[0]
    assert {reason.primitive: reason.why for reason in hit.reasons} == {
        "lexical": "words inv, 2041, boat",
        "dense": "meaning",
        "entity": "entities inv-2041",
    }


def test_a_rescored_hit_says_which_features_weighed_most() -> None:
    reason = retrieve("sailing boats", talk()).hits[0].reasons[-1]
    assert reason.primitive == "rescore"
    assert reason.why.count(", ") == 3


def test_temporal_expansion_brings_who_stands_beside_a_match_and_says_so() -> None:
    program = Program(name="beside", steps=(Lexical(), Temporal(before=1, after=1)))
    found = retrieve("sailing", talk(), program=program).hits
    assert [(hit.document.id, hit.reasons[0].why) for hit in found] == [
        ("2", "words sailing"),
        ("1", "stands 1 before '2'"),
        ("3", "stands 1 after '2'"),
    ]


def test_relations_are_followed_both_ways() -> None:
    documents = [
        Document(id="plan", text="Refund the order"),
        Document(id="pitfall", text="Too late", related=("plan",)),
        Document(id="other", text="Nothing of it"),
    ]
    for query, expected in (("refund", ["plan", "pitfall"]), ("late", ["pitfall", "plan"])):
        assert ids(query, Collection(documents), Lexical(), Relation()) == expected


def test_similarity_expansion_follows_meaning() -> None:
    texts = {"a": "give the money back", "b": "give the money back to her", "c": "rockets and planets"}
    collection = Collection([Document(id=i, text=t) for i, t in texts.items()], embedder=LocalEmbedder())
    assert ids("back", collection, Lexical(limit=1), Similarity(limit=1)) == ["a", "b"]


def test_what_is_packed_fits_the_budget_and_no_budget_keeps_all() -> None:
    evidence = retrieve("the boat trip to the coast", talk(), budget=60)
    assert 0 < evidence.tokens <= 60
    assert len(evidence.hits) < len(retrieve("the boat trip to the coast", talk()).hits)
    assert len(retrieve("the boat trip to the coast", talk(), limit=1).hits) == 1


def test_only_what_is_valid_at_the_moment_asked_for_is_found() -> None:
    march, may = datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC)
    documents = [
        Document(id="old", text="The fee is 5", valid_to=may),
        Document(id="new", text="The fee is 7", valid_from=may),
    ]
    collection = Collection(documents)
    assert ids(Query(text="fee", at=march), collection, Lexical(), Filter()) == ["old"]
    assert ids(Query(text="fee", at=may), collection, Lexical(), Filter()) == ["new"]
    assert ids("fee", collection, Lexical(), Filter()) == ["new"]


def test_trust_value_and_recency_can_be_preferred_and_distrust_filtered() -> None:
    now = datetime(2024, 5, 31, tzinfo=UTC)
    documents = [
        Document(id="a", text="fee", trust=0.2, value=0.9, time=now),
        Document(id="b", text="fee", trust=0.9, value=0.1, time=datetime(2024, 5, 1, tzinfo=UTC)),
    ]
    collection, query = Collection(documents), Query(text="fee", at=now)
    assert ids(query, collection, Lexical(), Prefer(trust=1.0)) == ["b", "a"]
    assert ids(query, collection, Lexical(), Prefer(value=1.0)) == ["a", "b"]
    assert ids(query, collection, Lexical(), Prefer(recency=1.0)) == ["a", "b"]
    assert ids(query, collection, Lexical(), Filter(min_trust=0.5)) == ["b"]


def test_a_query_of_another_scope_is_an_error_and_scopes_are_never_mixed() -> None:
    shop, desk = Document(id="a", text="fee", scope="shop"), Document(id="b", text="fee", scope="desk")
    with pytest.raises(UnknownScope, match="no scope 'desk' in this collection; it holds 'shop'"):
        retrieve(Query(text="fee", scope="desk"), Collection([shop]))
    with pytest.raises(MemoryFault, match=r"documents of the scopes \['desk', 'shop'\] in one collection"):
        Collection([shop, desk])


def test_with_the_model_missing_the_other_indexes_serve_and_say_so() -> None:
    documents = [Document(id="a", text="the boat"), Document(id="b", text="the car")]
    evidence = retrieve("boat", Collection(documents, embedder=MissingEmbedder()))
    assert [hit.document.id for hit in evidence.hits] == ["a"]
    assert evidence.notes == (
        "no embeddings: no file 'weights'; install it; the lexical and entity indexes alone serve",
    )


@pytest.mark.parametrize("program", ["default", "hybrid", "lexical"])
@pytest.mark.parametrize("query", ["", "?!", "the of and", "\u0000", "w" * 20_000, "“”"])
def test_odd_queries_and_an_empty_collection_are_no_errors(program: str, query: str) -> None:
    assert retrieve(query, Collection([], embedder=LocalEmbedder()), program=program).hits == ()
    retrieve(query, talk(), program=program, budget=1_000)


def test_two_documents_with_one_id_are_refused_by_name() -> None:
    with pytest.raises(MemoryFault, match="two documents share the id 'a'; give each its own id"):
        Collection([Document(id="a", text="x"), Document(id="a", text="y")])


def test_entities_are_compared_whole() -> None:
    documents = [Document(id="a", text="Error E-4711 in shop.pay"), Document(id="b", text="Error E-4712 in shop.pay")]
    assert ids("what is E-4711?", Collection(documents), Entity()) == ["a"]
