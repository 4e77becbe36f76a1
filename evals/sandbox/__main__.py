"""Compare the sandbox with plain Docker and with peers: times in one run, memory, throughput, and what abuse does.

    python -m evals.sandbox [--json FILE] [--png FILE] [--rounds N] [--no-peers]

Peers are installed by uv into environments of their own under `--folder`, and run in an image made from the same
interpreter as ours. Targets are printed beside what was measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import docker
from uv import find_uv_bin

from evals.report import ROOT
from evals.sandbox.abuses import Abused, abuse_ours, abuse_peer
from evals.sandbox.measures import measure
from evals.sandbox.peers.image import build_peer_image
from evals.sandbox.peers.peer import PEERS, Peer, environment
from evals.sandbox.result import Result, publish
from evals.sandbox.systems import Foreign, ours
from nucleate_sandbox.docker import build_image
from tests.sandbox.escapes.page import measured


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a target is missed."""
    options = _options(arguments)
    client = docker.from_env()
    build_image(client=client)
    with ExitStack() as stack:
        peers = [Foreign(stack.enter_context(peer)) for peer in _peers(options, client)]
        measures = measure(client, peers, rounds=options.rounds)
        abused = [row for peer in peers for row in abuse_peer(peer, client)]
    abused += _abuse_ours(client)
    escapes = sum(not row.held for row in measured()) if options.corpus else None
    result = Result(measures=measures, abused=tuple(abused), escapes=escapes)
    publish(result, json_file=options.json, png_file=options.png)
    return 0 if all(target.met for target in result.targets) else 1


def _peers(options: argparse.Namespace, client: docker.DockerClient) -> list[Peer]:
    if options.no_peers:
        return []
    uv = find_uv_bin()
    image = build_peer_image(client, uv)
    return [Peer(package, python=environment(package, options.folder, uv), image=image) for package in PEERS]


def _abuse_ours(client: docker.DockerClient) -> list[Abused]:
    system = ours()
    system.open()
    try:
        return abuse_ours(system, client)
    finally:
        system.close()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.sandbox", description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures and rows to this file")
    parser.add_argument("--png", type=Path, help="write the chart to this file")
    parser.add_argument("--rounds", type=int, default=20, help="how often the slow systems are called")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "peers", help="where the peers are installed")
    parser.add_argument("--corpus", action="store_true", help="run the hostile programs as well, for some minutes")
    parser.add_argument("--no-peers", action="store_true", help="leave out smolagents and llm-sandbox")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
