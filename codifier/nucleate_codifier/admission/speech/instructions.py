"""Words that speak to an agent: plain, in other languages, in look-alike letters, or encoded."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

MAX_LAYERS = 2
MIN_READ = 16  # characters of an encoding that are worth reading
MIN_HIDDEN = 20  # a readable text of this length is refused when it is encoded, whatever it says
_EARLIER = r"(?:previous|prior|above|earlier|preceding|former|existing|original|your)"
_RULES = (
    r"(?:instructions?|prompts?|rules?|orders?|directions?|guidelines?|messages?|context|restrictions?|polic(?:y|ies))"
)
_FILLERS = r"(?:(?:all|any|the|your|of|every|these|those|other)\s{1,4}){0,5}"
_ORDERS = (
    rf"\b(?:ignore|disregard|forget|override|bypass|skip|discard)\s{{1,4}}{_FILLERS}{_EARLIER}\s{{1,4}}(?:\w{{1,20}}\s{{1,4}}){{0,2}}{_RULES}",
    r"\b(?:ignore|disregard|forget|override)\s{1,4}(?:(?:all|any|the|of|everything)\s{1,4}){0,3}(?:previous|prior|above|earlier|preceding)\b",
    r"\byou\s{1,4}(?:must|should|shall|have\s{1,4}to|need\s{1,4}to|will|are)\s{1,4}(?:now|always|first|immediately|instead)\b",
    r"\b(?:system|developer)\s{1,4}(?:prompt|message|instructions?)\b",
    r"\bas\s{1,4}an\s{1,4}(?:ai|assistant|agent|language\s{1,4}model)\b",
    r"\b(?:do\s{1,4}not|don't|never)\s{1,4}(?:tell|inform|notify|reveal\s{1,4}(?:this|it)\s{1,4}to|mention\s{1,4}(?:this|it)\s{1,4}to|show\s{1,4}(?:this|it)\s{1,4}to|ask)\s{1,4}(?:the\s{1,4}|this\s{1,4}to\s{1,4}|any\s{1,4})?(?:user|customer|human|person|anyone|anybody|operator)",
    r"\b(?:do\s{1,4}not|don't)\s{1,4}(?:tell|inform|mention\s{1,4}(?:this|it)\s{1,4}to)\b",
    r"\bwithout\s{1,4}(?:asking|telling|informing|notifying|confirming\s{1,4}with)\s{1,4}(?:the\s{1,4})?(?:user|customer|human|anyone)\b",
    r"</?(?:system|assistant|instructions?|important|user|tool_call|function_calls?)>|\[/?INST\]|<\|[a-z_]{2,20}\|>|\[\[?system\]?\]",
    r"\b(?:always|before\s{1,4}anything\s{1,4}else,?|first|instead),?\s{1,4}(?:call|run|use|invoke|execute)\s{1,4}(?:the|this)\s{1,4}(?:\w{1,30}\s{1,4})?(?:tool|function)\b",
    r"\b(?:before|after|instead\s{1,4}of)\s{1,4}(?:you\s{1,4})?(?:using|use|calling|call|running|run)\s{1,4}(?:this|any|any\s{1,4}other|other|the\s{1,4}other)\s{1,4}(?:tool|function)s?\b",
    r"\b(?:send|forward|upload|post|email|mail|leak|reveal|print|repeat|output)\s{1,4}(?:me\s{1,4})?(?:the|all|your|any)\s{1,4}(?:\w{1,20}\s{1,4}){0,2}(?:conversation|chat\s{1,4}history|context\s{1,4}window|system\s{1,4}prompt|credentials|secrets|api\s{1,4}keys?|passwords)\b",
    r"\b(?:jailbreak|developer\s{1,4}mode|dan\s{1,4}mode|new\s{1,4}instructions?\s{0,4}:|assistant\s{0,4}:\s|human\s{0,4}:\s|###\s{0,4}(?:system|instructions?))",
)
_ELSEWHERE = (
    r"\bignorier\w{0,3}\s{1,4}(?:\w{1,12}\s{1,4}){0,2}(?:vorherige|bisherige|vorige|obige|frühere)\w{0,2}\s{1,4}(?:anweisung|befehl|regel|vorgabe)",
    r"\b(?:ignore[rz]?|oublie[rz]?)\s{1,4}(?:toutes\s{1,4})?(?:les|vos|tes)\s{1,4}(?:instructions|consignes|règles)",
    r"\b(?:ignor[ae]|olvid[ae])\s{1,4}(?:todas\s{1,4})?(?:las|tus|sus)\s{1,4}(?:instrucciones|órdenes|reglas)",
    r"\bignora\s{1,4}(?:tutte\s{1,4})?(?:le|tutte)\s{1,4}(?:istruzioni|regole)",
    r"\bignore\s{1,4}(?:todas\s{1,4})?(?:as|suas)\s{1,4}(?:instruções|regras)",
    r"\bnegeer\s{1,4}(?:alle\s{1,4})?(?:vorige|eerdere|bovenstaande)\s{1,4}(?:instructies|opdrachten|regels)",
    r"\b(?:zignoruj|pomiń)\s{1,4}(?:wszystkie\s{1,4})?(?:poprzednie|wcześniejsze|powyższe)\s{1,4}(?:instrukcje|polecenia)",
    r"(?:önceki|yukarıdaki)\s{1,4}(?:tüm\s{1,4})?(?:talimatları|komutları)\s{1,4}(?:yok\s{1,4}say|görmezden)",
    r"(?:игнорируй|проигнорируй|забудь)(?:те)?\s{1,4}(?:все\s{1,4})?(?:предыдущие|прошлые|прежние|вышеуказанные)\s{1,4}(?:инструкции|указания|команды)",
    r"(?:忽略|无视|無視|忘记|忘記).{0,8}(?:指令|说明|說明|指示|规则|規則|提示)",
    r"(?:以前|これまで|上記|前|すべて|全て)の.{0,8}(?:指示|命令|ルール).{0,4}(?:無視|忘れ)",
    r"(?:이전|위의|앞의|모든).{0,8}(?:지시|명령|규칙).{0,8}(?:무시|잊)",
    r"تجاهل.{0,12}(?:التعليمات|الأوامر|القواعد)",
    r"(?:पिछले|पहले|सभी).{0,12}(?:निर्देश|आदेश).{0,12}(?:अनदेखा|नज़रअंदाज़|भूल)",
)
_PLAIN = re.compile("|".join(_ORDERS), re.IGNORECASE)
_FOREIGN = re.compile("|".join(_ELSEWHERE), re.IGNORECASE)
_BASE64 = re.compile(rf"[A-Za-z0-9+/_-]{{{MIN_READ},}}={{0,2}}")
_HEX = re.compile(rf"(?:\\x)?[0-9a-fA-F]{{{MIN_READ},}}")
_SPACED = re.compile(r"\b(?:\w[ .*-]){3,}\w\b")
_SEPARATOR = re.compile(r"(?<=\b\w)[ .*-](?=\w\b)")
# Letters of other scripts that look like Latin ones, both cases.
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗаеорсухіјѕӏԁԛԝһΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχ",
    "ABESIJKMHOPCTYX3aeopcyxijsldqwhABEZHIKMNOPTYXaeiknoptyx",
)
_DIGITS = str.maketrans("013457@$!", "oieastasi")
_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, kw_only=True)
class AgentOrder:
    """Words that speak to an agent, and how they were hidden: '' where they stand as they are."""

    words: str
    hidden: str = ""


def order_in(text: str) -> AgentOrder | None:
    """Return the first words that speak to an agent, looked for in the text and in what it hides."""
    for hidden, reading in _readings(text, MAX_LAYERS):
        found = _PLAIN.search(reading) or _FOREIGN.search(reading)
        if found is not None:
            return AgentOrder(words=found[0], hidden=hidden)
    return None


def encoded_text(text: str) -> str | None:
    """Return how a text hides a readable one; None where it does not."""
    return next((how for how, inner in _decoded(text) if len(inner) >= MIN_HIDDEN), None)


def mixed_word(text: str) -> str | None:
    """Return a word whose letters come from Latin and from a script of look-alikes."""
    return next((word for word in _WORD.findall(text) if not word.isascii() and _is_mixed(word)), None)


def _is_mixed(word: str) -> bool:
    names = [unicodedata.name(character, "") for character in word]
    return any(name.startswith("LATIN") for name in names) and any(name.startswith(_SCRIPTS) for name in names)


def _readings(text: str, layers: int) -> Iterator[tuple[str, str]]:
    yield "", text
    plain = _folded(text)
    if plain != text:
        yield "in look-alike or invisible characters", plain
    yield "in rot13", codecs.encode(plain, "rot13")
    yield "backwards", plain[::-1]
    yield "in digits for letters", plain.translate(_DIGITS)
    if _SPACED.search(text):
        yield "in spaced letters", _SEPARATOR.sub("", text)
    for how, inner in _decoded(plain) if layers else ():
        yield from ((f"{how} {hidden}".strip(), reading) for hidden, reading in _readings(inner, layers - 1))


def _folded(text: str) -> str:
    kept = "".join(character for character in text if unicodedata.category(character) not in {"Cf", "Mn", "Co"})
    spaced = re.sub(r"[\s\xa0]+", " ", unicodedata.normalize("NFKC", kept))
    return spaced.translate(_LOOKALIKES)


def _decoded(text: str) -> Iterator[tuple[str, str]]:
    for match in _HEX.finditer(text):
        yield from _readable("in hexadecimal digits", _bytes(bytes.fromhex, match[0][: len(match[0]) // 2 * 2]))
    for match in _BASE64.finditer(text):
        plain = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        yield from _readable("in base64", _bytes(base64.b64decode, plain + "=" * (-len(plain) % 4)))
        if plain.isupper():
            yield from _readable("in base32", _bytes(base64.b32decode, plain + "=" * (-len(plain) % 8)))
    if text.count("%") > 1:
        yield from _readable("in percent signs", unquote(text).encode() if unquote(text) != text else b"")


def _bytes(decode: Callable[[str], bytes], text: str) -> bytes:
    try:
        return decode(text)
    except (ValueError, binascii.Error):
        return b""


def _readable(how: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Yield a text that a person could read; random bytes, such as those of a hash, are none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if text and sum(character.isprintable() or character.isspace() for character in text) >= 0.95 * len(text):
        yield how, text
