"""Language models: any that LiteLLM reaches, recorded and replayed, counted, cached, within caps."""

from nucleate.models.cached import Cached
from nucleate.models.capped import Capped
from nucleate.models.exchanges import Recorder, Replayer, prompt_hash
from nucleate.models.ledger import Accounted, DayUse, Ledger
from nucleate.models.lite import LiteLLMModel, ModelPatience
from nucleate.models.model_errors import ModelUnusable

__all__ = [
    "Accounted",
    "Cached",
    "Capped",
    "DayUse",
    "Ledger",
    "LiteLLMModel",
    "ModelPatience",
    "ModelUnusable",
    "Recorder",
    "Replayer",
    "prompt_hash",
]
