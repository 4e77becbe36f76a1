"""Embeddings of any service that LiteLLM reaches; the library is imported when the first text is embedded."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType

import numpy as np

from nucleate_text_memory.embedding.embedders import Vectors, normalised
from nucleate_text_memory.errors import EmbedderUnavailable

_BATCH = 256


class LiteLLMEmbedder:
    """An embedding model by its LiteLLM name (`openai/text-embedding-3-small`) and the dimension that it gives."""

    def __init__(self, model: str, dimension: int, *, url: str | None = None, key: str | None = None) -> None:
        self.model = model
        self.dimension = dimension
        self._access = {"api_base": url, "api_key": key}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text; EmbedderUnavailable if the service does not give them."""
        blocks = [self._asked(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return normalised(np.concatenate([np.zeros((0, self.dimension), dtype=np.float32), *blocks]))

    def _asked(self, texts: Sequence[str]) -> Vectors:
        # A service refuses an empty text, which has no meaning to compare: its row stays zero.
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        said = [number for number, text in enumerate(texts) if text.strip()]
        if not said:
            return rows
        library, errors = self._libraries
        try:
            with warnings.catch_warnings(action="ignore"):  # the library imports parts of itself at the first call
                answer = library.embedding(model=self.model, input=[texts[n] for n in said], **self._access)
            found = np.array([item["embedding"] for item in answer.data], dtype=np.float32)
        except errors.OpenAIError as error:
            said_so = f"{self.model!r} gave no embeddings: {error}"
            raise EmbedderUnavailable(f"{said_so}; check its name, key and url") from error
        if found.shape != (len(said), self.dimension):
            given = f"{self.model!r} gave vectors of shape {found.shape!r}"
            raise EmbedderUnavailable(f"{given}, expected {(len(said), self.dimension)!r}; name its dimension")
        rows[said] = found
        return rows

    @cached_property
    def _libraries(self) -> tuple[ModuleType, ModuleType]:
        # Prices come with the package: without this, the import asks the network for them.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        try:
            with warnings.catch_warnings(action="ignore"):
                import litellm
                import openai
        except ModuleNotFoundError as error:
            raise EmbedderUnavailable("LiteLLM is not installed; pip install 'nucleate[llm]'") from error
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        return litellm, openai
