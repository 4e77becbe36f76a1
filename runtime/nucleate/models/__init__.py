"""Language models: any that LiteLLM reaches, recorded and replayed, counted, cached, within caps."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.models.cached import Cached
    from nucleate.models.capped import Capped
    from nucleate.models.exchanges import Recorder, Replayer, prompt_hash
    from nucleate.models.ledger import Accounted, Ledger
    from nucleate.models.lite import LiteLLMModel, ModelPatience
    from nucleate.models.model_errors import ModelUnusable
    from nucleate.models.model_use import DayUse
else:
    _PLACES = {
        "Accounted": "ledger",
        "Cached": "cached",
        "Capped": "capped",
        "DayUse": "model_use",
        "Ledger": "ledger",
        "LiteLLMModel": "lite",
        "ModelPatience": "lite",
        "ModelUnusable": "model_errors",
        "Recorder": "exchanges",
        "Replayer": "exchanges",
        "prompt_hash": "exchanges",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

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
