"""Embedders: local weights are checked by hash, and a service is asked through LiteLLM."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from nucleate_text_memory import EmbedderUnavailable, LiteLLMEmbedder
from nucleate_text_memory.embedding.embedders import checked

NAME = "openai/text-embedding-3-small"


@contextmanager
def service(*, status: int = 200, dimension: int = 3) -> Iterator[tuple[str, list[list[str]]]]:
    """Serve embeddings in the form of OpenAI: every text's vector begins with its length."""
    asked: list[list[str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(request["input"])
            rows = [[float(len(text)), *[0.0] * (dimension - 1)] for text in request["input"]]
            data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            good = {"object": "list", "model": request["model"], "data": data, "usage": usage}
            body = json.dumps(good if status == 200 else {"error": {"message": "no such key"}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_line: object) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_service_gives_rows_of_length_one_and_is_not_asked_about_empty_texts() -> None:
    with service() as (url, asked):
        rows = LiteLLMEmbedder(NAME, 3, url=url, key="none").embed(["refund", "", "order"])
    assert rows.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    assert asked == [["refund", "order"]]


def test_another_dimension_than_the_one_named_is_refused() -> None:
    message = r"gave vectors of shape \(1, 5\), expected \(1, 3\); name its dimension"
    with service(dimension=5) as (url, _), pytest.raises(EmbedderUnavailable, match=message):
        LiteLLMEmbedder(NAME, 3, url=url, key="none").embed(["refund"])


def test_a_service_that_refuses_is_unavailable_and_its_words_are_quoted() -> None:
    with (
        service(status=401) as (url, _),
        pytest.raises(EmbedderUnavailable, match=r"gave no embeddings: .*no such key"),
    ):
        LiteLLMEmbedder(NAME, 3, url=url, key="none").embed(["refund"])


def test_weights_with_another_hash_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_bytes(b"other")
    with pytest.raises(EmbedderUnavailable, match=r"'weights' has the hash 'd9298a10d1b0', expected '0000"):
        checked(path, sha256="0" * 64)
