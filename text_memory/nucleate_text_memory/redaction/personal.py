"""Personal identifiers in running text: e-mail addresses, phone, card and bank account numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z]{2,63}(?![\w-])")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}(?![A-Za-z0-9])")
_CARD = re.compile(r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])")
_PHONE = re.compile(
    r"(?<![\w+-])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){2,4}"
    r"|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4})(?![\w-])"
)
_LETTER_VALUE = {letter: str(number) for number, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", start=10)}


def identifiers(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, words) of every personal identifier in a text."""
    yield from (("email", match[0]) for match in _EMAIL.finditer(text))
    yield from (("iban", match[0]) for match in _IBAN.finditer(text) if is_iban(match[0]))
    yield from (("card", match[0]) for match in _CARD.finditer(text) if is_card(match[0]))
    yield from (("phone", match[0]) for match in _PHONE.finditer(text))


def is_card(number: str) -> bool:
    """Return whether the digits pass the check of ISO/IEC 7812 (Luhn)."""
    digits = [int(digit) for digit in number if digit.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1


def is_iban(number: str) -> bool:
    """Return whether the account number passes the check of ISO 13616 (97)."""
    plain = number.replace(" ", "")
    moved = plain[4:] + plain[:4]
    return len(plain) >= 15 and int("".join(_LETTER_VALUE.get(sign, sign) for sign in moved)) % 97 == 1
