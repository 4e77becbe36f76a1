"""The words of a text: stemmed, identifiers in parts, Chinese, Japanese and Korean as bigrams; and how many tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

import snowballstemmer

from nucleate_text_memory.retrieval.documents import Document

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from has have i if in is it its me my no not of on or so "
        "that the their then there this to up was we were will with would you your ",
    )
)
_ASKING = frozenset(
    re.findall(
        r"\w+",
        "about been being did doe had he her him his how s she t than them these they those "
        "what when where which who whom whose whi",
    )
)
_STEMMER = snowballstemmer.stemmer("english")
_PIECE = re.compile(r"[^\W_]+|[^\w\s]|_")
_LONGEST = 9


def tokens(text: str) -> list[str]:
    """Return lower-case stems; snake_case, camelCase and dotted names in parts, CJK as bigrams; no stop words."""
    folded = unicodedata.normalize("NFKC", _CAMEL.sub(" ", text)).lower()
    return [token for match in _TOKEN.finditer(folded) for token in _parts(match[0])]


def words(text: str) -> list[str]:
    """Return the tokens of a text without those that questions hold: who, what, about, his."""
    return [word for word in tokens(text) if word not in _ASKING]


def context_words(document: Document) -> list[str]:
    """Return the words that tell where a document stands: its author, day, month and year."""
    dated = f"{document.time.day} {document.time:%B} {document.time.year}" if document.time else ""
    return words(f"{document.author} {dated}")


def counted(found: Iterable[str]) -> dict[str, float]:
    """Return each word once, with weight 1, in the order of the text."""
    return dict.fromkeys(found, 1.0)


def estimate_tokens(text: str) -> int:
    """Return about how many WordPiece tokens a text has: words, long ones in pieces, punctuation, CJK by character."""
    return sum(_tokens_in(piece) for piece in _PIECE.findall(text))


def _parts(word: str) -> Iterator[str]:
    if re.match(rf"[{_CJK}]", word):
        yield from (word[i : i + 2] for i in range(max(1, len(word) - 1)))
    elif word not in _STOP_WORDS:
        yield _stem(word)


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    stem: str = _STEMMER.stemWord(word) if word.isascii() and word.isalpha() else word
    return stem


def _tokens_in(piece: str) -> int:
    return len(piece) if re.match(rf"[{_CJK}]", piece) else -(-len(piece) // _LONGEST)
