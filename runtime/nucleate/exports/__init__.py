"""Ways out of the library: schemas for providers, tools for frameworks, files for people, packages and skills."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.exports.offering import FrameworkTools, offered
    from nucleate.exports.package_files import Package
    from nucleate.exports.provider_tools import ProviderTools
    from nucleate.exports.schemas import Unrepresentable
else:
    _PLACES = {
        "FrameworkTools": "offering",
        "Package": "package_files",
        "ProviderTools": "provider_tools",
        "Unrepresentable": "schemas",
        "offered": "offering",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = [
    "FrameworkTools",
    "Package",
    "ProviderTools",
    "Unrepresentable",
    "offered",
]
