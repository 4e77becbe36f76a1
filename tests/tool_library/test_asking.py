"""Diffs, graphs, lists and near-duplicates."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nucleate_tool_library import Pair, Part, State, ToolLibrary, ToolVersion, read_signature
from nucleate_tool_library.reading.similar import near_sets
from tests.tool_library.doubles import library, version


def shelf_of(*versions: ToolVersion) -> ToolLibrary:
    shelf = library()
    for item in versions:
        shelf.register(item, state=State.ACTIVE, approved_by="admission", replace=True)
    return shelf


def test_a_diff_names_what_differs_and_by_how_big_a_step() -> None:
    count, other = version("count"), version("other")
    old = replace(version("total", count), tests={"files": {"test_total.py": "assert 1\n"}})
    new = replace(
        version("total", other, body="2"), capabilities=("shop.get",), tests={"files": {"test_total.py": "assert 2\n"}}
    )
    shelf = shelf_of(count, other, old, new)
    found = shelf.diff("total")
    assert (found.before, found.after, found.step) == (old.id, new.id, "major")
    assert found.source.splitlines()[-2:] == ["-    return n + 1 + count(n=n)", "+    return n + 2 + other(n=n)"]
    assert (found.signature, found.lock) == ("", "")
    assert found.tests.splitlines()[-2:] == ["-assert 1", "+assert 2"]
    assert found.closure == Part(added=("other",), removed=("count",))
    assert found.capabilities == Part(removed=("shop.search",))
    assert shelf.diff("total", "2", "1").source.splitlines()[-1] == "+    return n + 1 + count(n=n)"


def test_a_diff_tells_which_tool_of_the_closure_is_another_version_now() -> None:
    shelf = shelf_of(version("count"), version("total", version("count")), version("count", body="2"))
    found = shelf.diff("total")
    assert (found.step, found.source, found.closure) == ("patch", "", Part(changed=("count",)))
    assert shelf.diff("total", "1.0.1").step == "none"


def test_a_tool_of_one_version_does_not_differ() -> None:
    found = shelf_of(version("count")).diff("count")
    assert (found.step, found.before, found.source) == ("none", found.after, "")


def test_a_list_reads_the_first_line_of_a_docstring_and_every_use() -> None:
    source = 'def count(n: int) -> int:\n    """Count things.\n\n    At length.\n    """\n    return n\n'
    made = replace(version("count"), source=source, signature=read_signature(source, "count"))
    shelf = shelf_of(made)
    shelf.record_invocation(made.id, ok=False, milliseconds=1, calls=0, path="cli")
    (line,) = shelf.listing("shop", [State.ACTIVE])
    assert (line.name, line.summary, line.uses, line.passes) == ("count", "Count things.", 1, 0)
    assert (line.version_id, line.release, shelf.listing("bank")) == (made.id, "1.0.0", ())


def test_a_graph_goes_down_up_or_over_the_whole_library() -> None:
    count = version("count")
    total = version("total", count)
    shelf = shelf_of(count, total, version("report", total), version("alone"))
    report = shelf.tool("report").version
    assert [node.name for node in shelf.graph().nodes] == ["count", "total", "alone", "report"]
    below = shelf.graph("total")
    assert (below.root, below.edges) == (total.id, ((total.id, count.id),))
    assert below.nodes[0].functions == ("shop.get", "shop.search")
    above = shelf.graph("count", callers=True)
    assert set(above.edges) == {(total.id, count.id), (report.id, total.id)}


def test_an_older_version_that_is_still_called_stands_in_the_graph() -> None:
    count, new = version("count"), version("count", returns="float")
    shelf = shelf_of(count, version("total", count), new)
    assert {(node.name, node.in_force) for node in shelf.graph("count", callers=True).nodes} == {
        ("count", False),
        ("count", True),
        ("total", True),
    }


def test_near_duplicates_are_pairs_of_one_scope_that_use_the_same_words() -> None:
    def described(name: str, doc: str, scope: str = "shop") -> ToolVersion:
        source = f'def {name}(order_id: str) -> str:\n    """{doc}"""\n    return order_id\n'
        return ToolVersion(name=name, scope=scope, source=source, signature=read_signature(source, name))

    shelf = shelf_of(
        described("refund_order", "Refund an order in full and tell the customer by mail."),
        described("order_refund", "Refund the order in full and tell the customer by mail."),
        described("refund_order", "Refund an order in full and tell the customer by mail.", "bank"),
        described("count_stock", "Count what is left."),
    )
    assert shelf.similar() == (Pair(first="order_refund", second="refund_order", scope="shop", similarity=0.9167),)
    assert shelf.similar(at_least=0.95) == ()


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), st.frozensets(st.sampled_from("abcdefgh")), max_size=8),
    st.sampled_from([0.1, 0.5, 0.7, 1.0]),
)
def test_no_near_pair_is_missed_and_none_is_made_up(sets: dict[str, frozenset[str]], at_least: float) -> None:
    keys = sorted(key for key in sets if sets[key])
    pairs = [(one, other) for place, other in enumerate(keys) for one in keys[:place]]
    scored = [(one, other, len(sets[one] & sets[other]) / len(sets[one] | sets[other])) for one, other in pairs]
    expected = sorted(item for item in scored if item[2] >= at_least)
    assert sorted(near_sets({key: sets[key] for key in keys}, at_least=at_least)) == expected
