"""Embeddings: the seam, and a local model whose weights ship inside a package."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_SHA256 = {
    _WEIGHTS: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    _TOKENIZER: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}

Vectors: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors. Vectors of different models are never compared."""

    @property
    def model(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text, of length 1 (or 0 for a text without a token)."""
        ...


class LocalEmbedder:
    """Static token vectors of the `wordllama` package, averaged. Reads two installed files and no network.

    A file that is missing, or that is not the one whose hash is written here, makes it unavailable.
    """

    model = "wordllama/l2_supercat_256"
    dimension = 256

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the normalised mean of each text's token vectors."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, encoding in zip(
            rows, self._tokenizer.encode_batch(list(texts), add_special_tokens=False), strict=True
        ):
            if encoding.ids:
                row[:] = self._table[encoding.ids].mean(axis=0, dtype=np.float32)
        return normalised(rows)

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        # Mapped, not read: a text needs a few of the 32,000 rows. The hash says that the file is as it is read here:
        # the length of a JSON header, the header, the rows (the safetensors format).
        path = checked(_file(_WEIGHTS), sha256=_SHA256[_WEIGHTS])
        with path.open("rb") as file:
            header = int.from_bytes(file.read(8), "little")
            told = json.loads(file.read(header))["embedding.weight"]
        begins = 8 + header + int(told["data_offsets"][0])
        return np.memmap(path, dtype="<f2", mode="r", offset=begins, shape=tuple(told["shape"])).view(np.ndarray)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer  # who embeds nothing does not pay for it

        return Tokenizer.from_file(str(checked(_file(_TOKENIZER), sha256=_SHA256[_TOKENIZER])))


def normalised(rows: Vectors) -> Vectors:
    """Return the rows scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled


def checked(path: Path, *, sha256: str) -> Path:
    """Return a file's path if it has this hash."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        wanted = f"{path.name!r} has the hash {found[:12]!r}, expected {sha256[:12]!r}"
        raise EmbedderUnavailable(f"{wanted}; install the package again, or give another embedder")
    return path


def _file(name: str) -> Path:
    # The package itself is not imported: its own loader may ask the network for the same files.
    spec = importlib.util.find_spec("wordllama")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / name
        if path.is_file():
            return path
    raise EmbedderUnavailable(f"no file {name!r} of the package 'wordllama'; install it with: pip install wordllama")
