"""Ways out of the library: schemas for providers, tools for frameworks, files for people, packages and skills."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.exports.exporting import ExportReport, export_tools
    from nucleate.exports.importing import Change, Imported, ImportReport, import_tools
    from nucleate.exports.offering import FrameworkTools, offered
    from nucleate.exports.package_files import Package
    from nucleate.exports.provider_tools import ProviderTools
    from nucleate.exports.schemas import Unrepresentable
else:
    _PLACES = {
        "Change": "importing",
        "ExportReport": "exporting",
        "FrameworkTools": "offering",
        "ImportReport": "importing",
        "Imported": "importing",
        "Package": "package_files",
        "ProviderTools": "provider_tools",
        "Unrepresentable": "schemas",
        "export_tools": "exporting",
        "import_tools": "importing",
        "offered": "offering",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = [
    "Change",
    "ExportReport",
    "FrameworkTools",
    "ImportReport",
    "Imported",
    "Package",
    "ProviderTools",
    "Unrepresentable",
    "export_tools",
    "import_tools",
    "offered",
]
