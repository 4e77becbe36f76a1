"""Why a model gives no reply, where waiting would not help."""

from __future__ import annotations

from nucleate_codifier.chat import ModelUnavailable


class ModelUnusable(ModelUnavailable):
    """The provider refuses the request itself: a wrong name, key or address."""
