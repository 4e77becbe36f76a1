"""The orders that a driver takes: one JSON object a line on standard input, one answer a line on standard output."""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any, Protocol


class Driven(Protocol):
    """A sandbox of somebody else's: opened, given code to run within some seconds, and closed."""

    def open(self) -> dict[str, Any]: ...
    def run(self, code: str, seconds: float) -> dict[str, Any]: ...
    def close(self) -> dict[str, Any]: ...


def serve(peer: Driven) -> None:
    """Answer each order; what is printed by the peer's own library goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        began = time.perf_counter()
        answer = _answer(peer, json.loads(line))
        answer["ms"] = (time.perf_counter() - began) * 1000
        print(json.dumps(answer), file=answers, flush=True)


def _answer(peer: Driven, order: dict[str, Any]) -> dict[str, Any]:
    try:
        match order:
            case {"do": "open"}:
                return peer.open()
            case {"do": "run", "code": str(code), "seconds": seconds}:
                return peer.run(code, seconds)
            case {"do": "many", "code": str(code), "count": int(count), "workers": int(workers)}:
                return _many(peer, code, count, workers)
            case {"do": "close"}:
                return peer.close()
    except Exception as error:  # noqa: BLE001 - the outermost loop of a server
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"error": f"no such order: {order!r}"[:300]}


def _many(peer: Driven, code: str, count: int, workers: int) -> dict[str, Any]:
    """Run the code `count` times from several threads; the answer holds how many printed something."""
    outputs: list[str] = []
    todo = iter(range(count))
    turn = threading.Lock()

    def work() -> None:
        while True:
            with turn:
                if next(todo, None) is None:
                    return
            outputs.append(str(peer.run(code, 60.0).get("output")))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"outputs": outputs}


def watched(target: Any, seconds: float, silence: str) -> dict[str, Any]:
    """Call `target(answer)` in a thread, and give it up when it has not ended in time."""
    answer: dict[str, Any] = {"ended": False, "said": silence}
    thread = threading.Thread(target=target, args=(answer,), daemon=True)
    thread.start()
    thread.join(seconds)
    return dict(answer)
