"""Everything that can be called, in the order in which it is listed: meta-tools, other servers' tools, direct tools."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.mcp.catalogue import CatalogueReader, Served
from nucleate.mcp.direct import Direct
from nucleate.mcp.meta_tools import meta_tools
from nucleate.mcp.offers import Offer
from nucleate.mcp.proxy import ServerProxy
from nucleate.mcp.service import Service


class Counter:
    """Lists what is offered now, and finds it by name; a library tool can be called whether it is listed or not."""

    def __init__(
        self, service: Service, shelf: CatalogueReader, *, direct: Direct, proxy: ServerProxy | None = None
    ) -> None:
        self._service = service
        self._shelf = shelf
        self._direct = direct
        self._proxy = proxy
        self._meta = meta_tools(service, proxied=proxy is not None)

    def listed(self) -> Sequence[Offer]:
        """Return what `tools/list` shows."""
        first = (*self._meta, *self._passed())
        taken = {offer.name for offer in first}
        chosen = self._direct.choose(self._shelf.now().sound)
        return (*first, *(self._offer(item) for item in chosen if item.name not in taken))

    def find(self, name: str) -> Offer | None:
        """Return what has this name."""
        for offer in (*self._meta, *self._passed()):
            if offer.name == name:
                return offer
        served = self._service.served(name)
        return self._offer(served) if served is not None and served.description is not None else None

    def names(self) -> Sequence[str]:
        """Return every name that can be called."""
        return (*(offer.name for offer in (*self._meta, *self._passed())), *self._shelf.now().served)

    def _passed(self) -> Sequence[Offer]:
        return self._proxy.offers({offer.name for offer in self._meta}) if self._proxy is not None else ()

    def _offer(self, served: Served) -> Offer:
        assert served.description is not None  # only sound tools are offered
        return Offer(
            description=served.description,
            perform=lambda arguments, visit: self._service.call(served, arguments, visit),
        )
