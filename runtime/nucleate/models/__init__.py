"""Language models: any that LiteLLM reaches, recorded and replayed, within a cap."""

from nucleate.models.capped import Capped
from nucleate.models.exchanges import Recorder, Replayer, prompt_hash
from nucleate.models.lite import LiteLLMModel, Patience

__all__ = ["Capped", "LiteLLMModel", "Patience", "Recorder", "Replayer", "prompt_hash"]
