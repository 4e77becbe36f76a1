"""Search over tools: by their words, their meaning and the queries that they came from."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.manager import ToolIndex
from nucleate_sandbox import Json
from nucleate_text_memory import Embedder, EmbedderUnavailable, LocalEmbedder
from nucleate_text_memory.embedding.embedders import Vectors
from nucleate_tool_library import ToolVersion, read_signature


class Counting:
    """The local embedder, counting the texts that it is given."""

    model, dimension = LocalEmbedder.model, LocalEmbedder.dimension

    def __init__(self) -> None:
        self._inner: Embedder = LocalEmbedder()
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed."""
        self.texts += texts
        return self._inner.embed(texts)


class Missing(Counting):
    """An embedder whose files are gone."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Fail."""
        raise EmbedderUnavailable(f"no files for {len(texts)} texts")


def version(name: str, doc: str, *queries: str) -> ToolVersion:
    """Return a tool that was made from runs with these queries."""
    source = f'def {name}(x: str) -> str:\n    """{doc}"""\n    return x\n'
    runs: list[Json] = [{"query": query} for query in queries]
    return ToolVersion(
        name=name, scope="s", source=source, signature=read_signature(source, name), evidence={"seen": runs}
    )


TOOLS = [
    version("cancel_flight", "Cancel a booked flight and refund the ticket."),
    version("track_parcel", "Tell where a parcel is now."),
    version("send_invoice", "Write an invoice to a customer."),
]


def found(index: ToolIndex, query: str, tools: Sequence[ToolVersion] = TOOLS) -> list[str]:
    """Return the names of what is found, best first."""
    return [item.version.name for item in index.shelf(tools).search(query, limit=2)]


def test_the_tool_whose_documentation_says_it_comes_first() -> None:
    index = ToolIndex(LocalEmbedder())
    assert found(index, "where is my parcel?")[0] == "track_parcel"
    assert found(index, "bill the client")[0] == "send_invoice"


def test_a_query_like_those_that_a_tool_came_from_finds_it_though_no_word_of_it_is_documented() -> None:
    learned = version("close_case", "Call two functions.", "the washing machine leaks", "the dishwasher leaks")
    assert found(ToolIndex(LocalEmbedder()), "our dryer leaks", [*TOOLS, learned])[0] == "close_case"


def test_only_tools_that_were_never_read_are_embedded() -> None:
    embedder = Counting()
    index = ToolIndex(embedder)
    index.shelf(TOOLS[:2])
    before = len(embedder.texts)
    index.shelf(TOOLS)
    assert len(embedder.texts) == before + 1


def test_without_the_embedding_model_words_alone_find_a_tool() -> None:
    assert found(ToolIndex(Missing()), "cancel my flight")[0] == "cancel_flight"


def test_an_empty_shelf_and_a_limit_of_nothing_find_nothing() -> None:
    index = ToolIndex(LocalEmbedder())
    assert index.shelf([]).search("x", limit=3) == ()
    assert index.shelf(TOOLS).search("x", limit=0) == ()
