"""Products and the suppliers that they come from."""

from __future__ import annotations

from dataclasses import replace

from nucleate.environments import effect
from nucleate.shop.books import Books
from nucleate.shop.listing_pages import ProductPage, SupplierPage, cut
from nucleate.shop.records import Product, Supplier
from nucleate.shop.shop_errors import InvalidAmount, SupplierNotFound


class Catalog:
    """What the shop sells."""

    def __init__(self, books: Books) -> None:
        self._books = books

    @effect("read")
    def get_product(self, sku: str) -> Product:
        """Look up a product.

        Args:
            sku: The stock-keeping unit, such as SKU-3001.
        """
        return self._books.product(sku)

    @effect("read")
    def search_products(self, text: str, *, page: int = 1, page_size: int = 10) -> ProductPage:
        """List products whose title contains a text, without regard to case."""
        rows = [item for item in self._books.products.values() if text.casefold() in item.title.casefold()]
        found, next_page = cut(rows, page, page_size)
        return ProductPage(products=found, count=len(rows), next_page=next_page)

    @effect("read")
    def find_supplier(self, name: str) -> Supplier:
        """Find a supplier by name.

        Args:
            name: The supplier's name, exactly.
        """
        for supplier in self._books.suppliers.values():
            if supplier.name == name:
                return supplier
        raise SupplierNotFound(f"no supplier is named {name!r}; catalog.list_suppliers shows all")

    @effect("read")
    def list_suppliers(self, *, page: int = 1, page_size: int = 10) -> SupplierPage:
        """List all suppliers."""
        rows = list(self._books.suppliers.values())
        found, next_page = cut(rows, page, page_size)
        return SupplierPage(suppliers=found, count=len(rows), next_page=next_page)

    def set_price(self, sku: str, price: float) -> Product:
        """Change the price of one piece."""
        if price <= 0:
            raise InvalidAmount(f"price is {price!r}; it must be greater than zero")
        changed = replace(self._books.product(sku), price=price)
        self._books.products[sku] = changed
        return changed
