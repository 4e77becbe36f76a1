"""What keeps a recorded program from waiting for what records it, or failing by it."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.hosting.attaching import Attaching
    from nucleate.hosting.hosting import EXIT_MILLISECONDS, Hosting
    from nucleate.hosting.keeping import Keeping
    from nucleate.hosting.leaving import Leaving, left
else:
    _PLACES = {
        "Attaching": "attaching",
        "EXIT_MILLISECONDS": "hosting",
        "Hosting": "hosting",
        "Keeping": "keeping",
        "Leaving": "leaving",
        "left": "leaving",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = ["EXIT_MILLISECONDS", "Attaching", "Hosting", "Keeping", "Leaving", "left"]
