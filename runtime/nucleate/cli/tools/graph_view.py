"""A dependency graph as a tree in a terminal, as DOT, and as JSON."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from nucleate.cli.tools.tools_view import COLOURS
from nucleate_sandbox import JsonObject
from nucleate_tool_library.reading.graphs import Graph, Node


def tree(graph: Graph, *, callers: bool) -> RenderableType:
    """Return a tree for each root; what stands in the tree already is named, and not unfolded again."""
    nodes = {node.id: node for node in graph.nodes}
    below: dict[str, list[str]] = {key: [] for key in nodes}
    for caller, called in graph.edges:
        if callers:
            below[called].append(caller)
        else:
            below[caller].append(called)
    above = {key for keys in below.values() for key in keys}
    first = [graph.root] if graph.root else []
    roots = [*first, *(node.id for node in reversed(graph.nodes) if node.id not in above and node.id != graph.root)]
    shown: set[str] = set()
    return Group(*(_branch(nodes, below, key, shown, functions=not callers) for key in roots if key in nodes))


def dot(graph: Graph) -> str:
    """Return the graph in the language of Graphviz; environment functions are ellipses."""
    functions = sorted({name for node in graph.nodes for name in node.functions})
    lines = ["digraph tools {", "  rankdir=LR;", "  node [shape=box, fontname=monospace];"]
    lines += [f"  {_quoted(node.id)} [label={_quoted(_label(node))}];" for node in graph.nodes]
    lines += [f"  {_quoted('env.' + name)} [shape=ellipse];" for name in functions]
    lines += [f"  {_quoted(caller)} -> {_quoted(called)};" for caller, called in graph.edges]
    calls = [(node.id, f"env.{name}") for node in graph.nodes for name in node.functions]
    lines += [f"  {_quoted(caller)} -> {_quoted(called)};" for caller, called in calls]
    return "\n".join([*lines, "}"]) + "\n"


def as_json(graph: Graph) -> JsonObject:
    """Return nodes, dependencies first, and edges from caller to called, both by version id."""
    return {
        "root": graph.root,
        "nodes": [
            {
                "version": node.id,
                "name": node.name,
                "scope": node.scope,
                "state": node.state.value,
                "release": node.release,
                "in_force": node.in_force,
                "functions": list(node.functions),
            }
            for node in graph.nodes
        ],
        "edges": [{"caller": caller, "called": called} for caller, called in graph.edges],
    }


def _branch(
    nodes: dict[str, Node], below: dict[str, list[str]], root: str, shown: set[str], *, functions: bool
) -> Tree:
    """Return a node's tree; an own stack, so that a long chain is no recursion."""
    top = Tree(_text(nodes[root]))
    stack = [(root, top)]
    shown.add(root)
    while stack:
        key, branch = stack.pop()
        for child in below[key]:
            text = _text(nodes[child])
            if child in shown:
                branch.add(text + Text(" (above)" if below[child] else "", style="dim"))
                continue
            shown.add(child)
            stack.append((child, branch.add(text)))
        for name in nodes[key].functions if functions else ():
            branch.add(Text(f"env.{name}", style="dim"))
    return top


def _text(node: Node) -> Text:
    if not node.in_force:
        return Text(node.name) + Text(f" {node.id[:12]}, an older version", style="yellow")
    return (
        Text(node.name, style="bold")
        + Text(f" {node.release} ")
        + Text(node.state, style=COLOURS.get(node.state, "dim"))
    )


def _label(node: Node) -> str:
    return f"{node.name}\n{node.release or node.id[:12] + ', an older version'}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
