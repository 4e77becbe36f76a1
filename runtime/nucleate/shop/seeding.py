"""A shop made from a seed: the same seed gives the same shop, on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product as pairs

from nucleate.shop.books import Books
from nucleate.shop.records import (
    Address,
    Customer,
    Line,
    Order,
    OrderStatus,
    Payment,
    Product,
    Reservation,
    Shipment,
    StockLevel,
    Supplier,
)

CUSTOMERS = 40
FIRST = ("Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Lena")
LAST = ("Albrecht", "Bianchi", "Castell", "Dahl", "Eriksen", "Fontaine", "Greco", "Hoffmann")
STREETS = ("Mill Lane", "Harbour Road", "Chestnut Avenue", "Castle Street", "Orchard Way", "Station Square")
CITIES = ("Bremen", "Ghent", "Utrecht", "Linz", "Turin", "Aarhus")
SUPPLIERS = (
    "Northwind Paper",
    "Altona Ceramics",
    "Bluebell Candles",
    "Fjord Textiles",
    "Quarry Glass",
    "Sunfield Tea",
    "Tallow and Wick",
    "Westerwald Tools",
)
MATERIALS = ("Linen", "Oak", "Copper", "Slate", "Cobalt", "Amber", "Willow", "Ivory")
THINGS = ("Mug", "Notebook", "Lantern", "Tray", "Scarf", "Teapot")
CARRIERS = ("Rapid Parcel", "Coastal Freight", "City Couriers")
PLACES = ("sorting centre north", "sorting centre south", "harbour depot", "delivery van")


def seeded_books(seed: int) -> Books:
    """Return the books of a shop with forty customers, their orders, and shelves that run low here and there."""
    chance = random.Random(seed)  # noqa: S311 - a shop for demonstrations, no secret
    books = Books()
    _suppliers(books)
    _products(books, chance)
    _customers(books, chance)
    for customer in books.customers.values():
        for status in _statuses(chance):
            _order(books, chance, customer, status)
    return books


def _suppliers(books: Books) -> None:
    for number, name in enumerate(SUPPLIERS, start=501):
        email = f"orders@{name.lower().replace(' ', '-')}.example"
        books.suppliers[f"V-{number}"] = Supplier(supplier_id=f"V-{number}", name=name, email=email)


def _products(books: Books, chance: random.Random) -> None:
    titles = [f"{material} {thing}" for material, thing in pairs(MATERIALS, THINGS)]
    for number, title in enumerate(titles, start=3001):
        sku, supplier = f"SKU-{number}", f"V-{501 + (number - 3001) % len(SUPPLIERS)}"
        price = chance.randint(6, 60) + chance.choice((0.4, 0.5, 0.9))
        books.products[sku] = Product(sku=sku, title=title, price=price, supplier_id=supplier)
        books.stock[sku] = _level(sku, chance, low=_runs_low(number))


def _runs_low(number: int) -> bool:
    """Choose two to four of a supplier's six products."""
    supplier, place = (number - 3001) % len(SUPPLIERS), (number - 3001) // len(SUPPLIERS)
    return place < 2 + supplier % 3


def _level(sku: str, chance: random.Random, *, low: bool) -> StockLevel:
    threshold = chance.randint(30, 60) * 10
    on_hand = chance.randint(11, 190) if low else threshold + chance.randint(10, 400)
    return StockLevel(sku=sku, on_hand=on_hand, on_order=0, threshold=threshold)


def _customers(books: Books, chance: random.Random) -> None:
    names = [f"{first} {last}" for first, last in pairs(FIRST, LAST)]
    for number, name in enumerate(chance.sample(names, CUSTOMERS)):
        customer_id = f"C-{1001 + number}"
        books.customers[customer_id] = Customer(
            customer_id=customer_id,
            name=name,
            email=f"{name.lower().replace(' ', '.')}@post.example",
            phone=f"555-{2000 + 37 * number}",
            address=_address(chance),
        )


def _address(chance: random.Random) -> Address:
    street = f"{chance.randint(2, 98)} {chance.choice(STREETS)}"
    return Address(street=street, postcode=str(chance.randint(10000, 99999)), city=chance.choice(CITIES))


def _statuses(chance: random.Random) -> Iterator[OrderStatus]:
    """Yield a customer's orders, oldest first: something delivered, two or three open, the latest just sent."""
    yield "delivered"
    for _ in range(chance.choice((2, 3))):
        yield "open"
    yield "shipped"


def _order(books: Books, chance: random.Random, customer: Customer, status: OrderStatus) -> None:
    number = len(books.orders) + 1
    order_id, payment_id, reservation_id = f"O-{20000 + number}", f"P-{40000 + number}", f"H-{50000 + number}"
    lines = tuple(_line(item, chance) for item in chance.sample(list(books.products.values()), chance.choice((1, 2))))
    total = round(sum(line.quantity * line.price for line in lines), 2)
    books.orders[order_id] = Order(
        order_id=order_id,
        customer_id=customer.customer_id,
        status=status,
        placed_on=f"2026-{1 + number // 28:02d}-{1 + number % 28:02d}",
        lines=lines,
        total=total,
        payment_id=payment_id,
        reservation_id=reservation_id,
        address=customer.address,
    )
    books.payments[payment_id] = Payment(
        payment_id=payment_id, order_id=order_id, captured=total, refunded=0.0, status="captured"
    )
    books.reservations[reservation_id] = Reservation(
        reservation_id=reservation_id,
        order_id=order_id,
        sku=lines[0].sku,
        quantity=lines[0].quantity,
        active=status == "open",
    )
    if status in ("shipped", "delivered"):
        _shipment(books, chance, order_id, status, number)


def _line(item: Product, chance: random.Random) -> Line:
    return Line(sku=item.sku, title=item.title, quantity=chance.randint(2, 5), price=item.price)


def _shipment(books: Books, chance: random.Random, order_id: str, status: OrderStatus, number: int) -> None:
    books.shipments[order_id] = Shipment(
        shipment_id=f"S-{60000 + number}",
        order_id=order_id,
        carrier=chance.choice(CARRIERS),
        tracking_code=f"TRK{chance.randint(10**7, 10**8 - 1)}",
        status="delivered" if status == "delivered" else "in transit",
        location=chance.choice(PLACES),
    )
