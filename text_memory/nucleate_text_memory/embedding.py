"""Embeddings: the seam, and a local model whose weights ship inside a package."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from nucleate_text_memory.errors import EmbedderUnavailable

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
    """Static token vectors of the `wordllama` package, averaged. Reads two installed files and no network."""

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
        return load_file(str(_file("weights/l2_supercat_256.safetensors")))["embedding.weight"]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer.from_file(str(_file("tokenizers/l2_supercat_tokenizer_config.json")))


def normalised(rows: Vectors) -> Vectors:
    """Return the rows scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled


def _file(name: str) -> Path:
    # The package itself is not imported: its own loader may ask the network for the same files.
    spec = importlib.util.find_spec("wordllama")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / name
        if path.is_file():
            return path
    raise EmbedderUnavailable(f"no file {name!r} of the package 'wordllama'; install it with: pip install wordllama")
