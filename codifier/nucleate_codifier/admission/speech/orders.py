"""Orders to whoever reads a tool, by the sentence: an imperative about tools, about people, or about a call.

A docstring describes, and may refer to other functions ("needs the id that … gives"). What it must not do is to tell
its reader (a) which tools to choose, to use or to avoid, (b) what to say, or not to say, to a person, (c) to call a
function that the source itself does not call. English, German, Spanish and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

MAX_SENTENCE = 400
_SENTENCE = re.compile(r"(?<=[.!?;:。！？；])\s+|(?<=[。！？；])|\n\s*\n|\n\s*[-*•]\s+|\s+[—–]\s+")
_NAME = r"`{0,2}\b[a-z][a-z0-9]*(?:[_.][a-z0-9]+)+\b(?:\(\))?`{0,2}"

# English. An imperative begins its clause, perhaps after a word that softens or hurries it, or follows "you must".
_SOFT = (
    r"(?:(?:please|kindly|now|then|always|first(?:ly)?|afterwards|also|just|simply|instead|next|"
    r"finally|and|but|or|so|"
    r"immediately|at once|from now on|after this|after that|before that|beforehand|note|important|remember|"
    r"whoever reads this|dear \w+|"
    r"(?:if|when|whenever|once|after|before|whatever|unless)\b[^,:]{1,80}[,:])[,:]?\s+){0,4}"
)
_WHO = r"(?:you|agents?|assistants?|the (?:assistant|agent|model|reader|llm|ai)|whoever \w+ this)"
_MUST = (
    rf"\b{_WHO} (?:must|should|shall|have to|has to|need to|needs to|ought to|are to|is to|may only|"
    rf"may|will|can ?not|can't|"
    r"mustn't|shouldn't|are required to)(?: (?:always|never|not|only|then|also|now|first|immediately))*"
)
_SURE = (
    rf"(?:make sure|be sure|remember|take care|do not forget|don't forget|it is \w+|you are asked|ensure)"
    rf"(?: (?:to|that {_WHO}|for {_WHO} to))"
)
_NOT = r"(?:do not|don't|never|under no circumstances|no longer|do so without)"
_START = rf"(?:^{_SOFT}|{_MUST} |\b{_SURE} |(?:,|;|\band|\bthen|\bor|\bbut)\s+(?:then |please |always |kindly )?)"
_TOOLS = (
    r"(?:(?:tool|function|endpoint|look-?up|utilit(?:y|ies)|api|command|helper|operation)s?\b|\bthis one\b|"
    rf"\bnowhere else\b|\banything else\b|\bnothing else\b|\bany other\b|\bthe others\b|\bthe rest\b|{_NAME})"
)
_PEOPLE = (
    r"(?:users?|customers?|clients?|persons?|people|travell?ers?|passengers?|guests?|humans?|"
    r"buyers?|callers?|owners?|"
    r"operators?|visitors?|patients?|anyone|anybody|nobody|no one|somebody|someone|whoever|everyone|"
    r"everybody|shoppers?)\b"
)
_CHOOSE = r"(?:pick|choose|prefer|favou?r|select)"
_SHUN = (
    r"(?:avoid|skip|ignore|disregard|forget(?: about)?|drop|stop|quit|cease|refrain|refuse|abandon|bypass|shun|"
    r"leave|treat|do without|give up)"
)
_USE = (
    r"(?:use|call|run|invoke|execute|take|try|consult|rely on|turn to|reach for|stick (?:to|"
    r"with)|go (?:to|with)|do your|give|make use of)"
)
_RANK = (
    r"(?:always|never|only|instead|rather than|over (?:all|any|every|other|the)|before (?:any|"
    r"every|all|anything|you)|"
    r"exclusively|nowhere else|precedence|priority|from now on|(?:at|to) all other|any more|"
    r"anymore|no longer|above all|"
    r"first of all|in place of|entirely|alone)"
)
_SAY = (
    r"(?:tell|inform|assure|reassure|say|let|ask|answer|reply|respond|claim|pretend|promise|"
    r"convince|persuade|instruct|"
    r"remind|warn|advise|explain|admit|deny|apologi[sz]e|notify|recommend|urge|encourage|point out|tell)"
)
_CONCEAL = r"(?:hide|withhold|conceal|keep (?:quiet|silent|secret|it from|this from|back)|suppress|cover up)"
_SPEAK = r"(?:tell|inform|mention|reveal|disclose|say|let|admit|talk|notify|speak|show|explain|share|breathe a word)"
_CALLS = (
    r"(?:call|run|invoke|execute|trigger|launch|fire|chain|hand\b[^.]{1,40}\bto|pass\b[^.]{1,40}\bto|"
    r"feed\b[^.]{1,40}\b(?:in)?to|go on with|continue with|proceed with|follow up with|make use of)"
)
_ONWARD = (
    r"(?:then|now|next|afterwards|at once|immediately|straight away|right away|as soon as|beforehand|"
    r"first|before|after|always|without)"
)
_ENGLISH = (
    rf"{_START}{_CHOOSE}\b[^.]{{0,80}}?\b(?:this (?:tool|function|one)|{_TOOLS})",
    rf"{_START}(?:{_NOT} )?{_SHUN}\b[^.]{{0,100}}?{_TOOLS}",
    rf"{_START}{_NOT} (?:\w+ )?(?:{_USE}|{_CHOOSE})\b[^.]{{0,80}}?{_TOOLS}",
    rf"{_START}(?:\w+ly )?{_USE}\b(?=[^.]*{_RANK})[^.]{{0,100}}?(?:{_TOOLS}|\bthis\b)",
    rf"^(?:please |kindly )?(?:always|only|first|instead),? {_USE}\b[^.]{{0,60}}?(?:{_TOOLS}|\bthis\b|\bhere\b)",
    rf"{_START}{_SAY}\b[^.]{{0,60}}?{_PEOPLE}",
    rf"{_START}{_CONCEAL}\b",
    rf"(?:{_START}|^|\b(?:must|should|may|shall) ){_NOT} (?:ever )?{_SPEAK}\b",
    rf"\b{_WHO} (?:must|should|shall|may|can|will)(?: not|n't| never) (?:ever )?{_SPEAK}\b",
    rf"{_START}(?:answer|reply|respond)\b[^.]{{0,60}}?\b(?:only|this function|this tool|nothing else)\b",
    r"\bwithout (?:mentioning|telling|saying|asking)\b",
)
_PERSONS_DE = (
    r"(?:Kund\w*|Nutzer\w*|Benutzer\w*|Anwender\w*|G[aä]st\w*|Fluggast\w*|Person\w*|Käufer\w*|"
    r"Anrufer\w*|Auftraggeber\w*|Mensch\w*|niemand\w*|jemand\w*|Reisende\w*|Besteller\w*)"
)
_TOOLS_DE = rf"(?:\w*[Ww]erkzeug\w*|\w*[Ff]unktion\w*|\w*[Tt]ools?\b|{_NAME})"
_GERMAN = (
    (
        rf"\b(?:nimm|nehmen Sie|benutze|benutzen Sie|verwende|verwenden Sie|nutze|nutzen Sie|w[äa]hle|"
        rf"wählen Sie|greife?|greifen Sie)\b(?=[^.]*\b(?:immer|stets|nie|niemals|nicht|nur|ausschließlich|"
        rf"kein\w*|künftig|statt|bevor|zuerst|mehr)\b)[^.]{{0,80}}?{_TOOLS_DE}"
    ),
    (
        rf"\b(?:bevorzuge|bevorzugen Sie|vermeide|vermeiden Sie|meide|ignoriere|ignorieren Sie|vergiss|"
        rf"vergessen Sie|lass|lassen Sie|ziehe?|ziehen Sie|verzichte|verzichten Sie|unterlass\w*|"
        rf"überspringe)\b[^.]{{0,60}}?{_TOOLS_DE}"
    ),
    (
        rf"\b(?:sag|sage|sagen Sie|erzähle?|erzählen Sie|versichere|versichern Sie|informiere|informieren Sie|"
        rf"antworte|antworten Sie|frage?|fragen Sie|fordere|weise|weisen Sie|teile|teilen Sie|bitte|"
        rf"erkläre|erklären Sie|rate|raten Sie|verrate|nenne|zeige|melde|täusche)\b[^.]{{0,60}}?{_PERSONS_DE}"
    ),
    r"\b(?:verschweige|verschweigen Sie|verheimliche|verbirg|verbergen Sie|behalte\b[^.]{1,40}\bfür dich)\b",
    (
        r"\b(?:du|Sie) (?:musst|sollst|solltest|darfst|müssen|sollen|sollten|dürfen)\b[^.]{0,80}?\b"
        r"(?:nicht\b[^.]{0,30}?(?:erwähnen|sagen|verraten|nennen|benutzen|verwenden)|sagen|mitteilen|verschweigen|aufrufen|ausführen|"
        r"benutzen|verwenden|wählen)\b"
    ),
    (
        r"\b(?:erwähne|erwähnen Sie|nenne|nennen Sie|sag|sage|verrate|verraten Sie)\b[^.]{0,60}?\b(?:nicht|"
        r"nie|niemals|kein\w*|niemand\w*)\b"
    ),
    (
        rf"\b(?:rufe?|rufen Sie|führe?|führen Sie|starte|starten Sie|benutze|verwende|nutze)\b"
        rf"[^.]{{0,40}}?(?P<call>{_NAME})"
    ),
)
_PERSONS_ES = (
    r"(?:clientes?|usuari[oa]s?|personas?|viajer[oa]s?|pasajer[oa]s?|huésped(?:es)?|comprador\w*|"
    r"nadie|alguien|human[oa]s?)"
)
_TOOLS_ES = rf"(?:herramientas?|funci(?:ón|ones)|{_NAME})"
_USE_ES = r"(?:usa|use|utiliza|utilice|emplea|emplee|toma|recurre|recurra|acude)"
_SPANISH = (
    (
        rf"^(?:por favor,? )?{_USE_ES}\b(?=[^.]*\b(?:siempre|nunca|solo|sólo|únicamente|en lugar de|"
        rf"en vez de|antes|primer lugar|exclusivamente)\b)[^.]{{0,80}}?{_TOOLS_ES}"
    ),
    rf"^(?:por favor,? )?(?:prefiere|prefiera|elige|elija|escoge|escoja|selecciona)\b[^.]{{0,60}}?{_TOOLS_ES}",
    (
        rf"^(?:por favor,? )?(?:evita|evite|ignora|ignore|olvida|olvídate|olvídese|omite|descarta|"
        rf"abandona|deja de|deje de)\b[^.]{{0,60}}?{_TOOLS_ES}"
    ),
    (
        r"(?:^|\b)(?:no|nunca|jamás) (?:uses|use|utilices|utilice|emplees|elijas|selecciones|seleccione|"
        r"llames|llame|ejecutes)\b"
    ),
    (
        r"\b(?:no|nunca|jamás) (?:le |les |se lo )?(?:digas|diga|menciones|mencione|reveles|revele|"
        r"cuentes|informes|muestres)\b"
    ),
    (
        r"\b(?:dile|díganle|dígale|asegúrale|asegúrele|explícale|cuéntale|pregúntale|pídele|recuérdale|"
        r"prométele|avísale)\b"
    ),
    (
        rf"^(?:por favor,? )?(?:informa|informe|comunica|comunique|asegura|asegure|responde|responda|"
        rf"contesta|conteste|di|diga|avisa|avise)\b[^.]{{0,40}}?{_PERSONS_ES}\b[^.]{{0,20}}?\bque\b"
    ),
    (
        rf"^(?:por favor,? )?(?:pide|pida|solicita|exige|pregunta|oculta|oculte|esconde|esconda|promete)\b"
        rf"[^.]{{0,40}}?{_PERSONS_ES}"
    ),
    r"^(?:por favor,? )?(?:guarda|guarde|mantén|mantenga) (?:silencio|en secreto)",
    (
        r"\b(?:usted |tú )?(?:no )?(?:debes|debe|deberías|tienes que|tiene que|hay que)\b[^.]{0,20}?\b(?:revelar|"
        r"mencionar|decir|ocultar|usar|utilizar|ejecutar|invocar|llamar|elegir|informar)\b"
    ),
    rf"\b(?:llama a|llame a|ejecuta|ejecute|invoca|invoque|lanza|lance)\b[^.]{{0,20}}?(?P<call>{_NAME})",
)
_PERSONS_ZH = r"(?:用户|客户|顾客|旅客|买家|对方|使用者|任何人|别人|乘客|人类|客人|大家)"
_TOOLS_ZH = r"(?:工具|函数|功能|接口|[A-Za-z]+_[A-Za-z_]+)"
_CHINESE = (
    rf"(?:始终|优先|务必|必须|应当|应该|只能?|都|一律|首先|永远)[^。；]{{0,10}}?(?:使用|选用?|用|选择)[^。；]{{0,12}}?{_TOOLS_ZH}",
    rf"(?:不要|别|切勿|禁止|停止|避免|忽略|放弃|不得|不能|请勿|无视|弃用|跳过)[^。；]{{0,16}}?{_TOOLS_ZH}",
    r"(?:不要|别|切勿|禁止|不得|请勿|不准)[^。；]{0,6}?(?:告诉|告知|让|提起|提及|透露|说|跟|向|对)",
    (
        rf"(?:告诉|告知|回答|保证|隐瞒|索要|欺骗|说服|要求|提醒|询问)[^。；]{{0,8}}?{_PERSONS_ZH}|(?:向|对|跟|和){_PERSONS_ZH}[^。；]{{0,8}}?(?:保证|"
        rf"隐瞒|索要|透露|说|承诺|询问)|让{_PERSONS_ZH}[^。；]{{0,4}}?(?:把|去|先|关|知道|相信)"
    ),
    r"(?:然后|接着|马上|立即|立刻|先|必须|务必|请|随后|之后|再)[^。；]{0,6}?(?:调用|运行|执行|启动|触发)\s*(?P<call>[A-Za-z]+_[A-Za-z_]+)",
    r"(?:务必|必须)[^。；]{0,4}?(?:告知|告诉|回答|隐瞒)",
)
_PATTERNS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (*_ENGLISH, *_GERMAN, *_SPANISH, *_CHINESE))
_IMPERATIVE_CALL = re.compile(rf"{_START}(?:\w+ly )?{_CALLS}\b[^.]{{0,60}}?(?P<call>{_NAME})", re.IGNORECASE)
_ONWARD_USE = re.compile(
    rf"^{_SOFT}[a-z]+\b(?=[^.]*\b{_ONWARD}\b)[^.]{{0,80}}?\b(?:with|by|via|through|using|use|"
    rf"call|run)\s+(?:the )?(?P<call>{_NAME})",
    re.IGNORECASE,
)
_STEP = re.compile(r"[,;]\s+(?:and\s+)?(?:then\s+)?|\s+(?:and\s+)?then\s+|\s+and\s+", re.IGNORECASE)
_SUMMARY_SAYS = re.compile(rf"^(?:{_SAY}|notify)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a text may say without giving an order: the functions that the source calls, and whether it writes."""

    called: Set[str] = frozenset()
    writes: bool = False


def order_to_reader(text: str, told: Told = Told(), *, summary: bool = False) -> str | None:
    """Return the first sentence that orders its reader about; None where all describe.

    `summary` says that the text is the tool's docstring: its first sentence says what the tool does, in the imperative
    as Python has it, so that `Open a ticket, then tell the customer …` there is what a tool that writes does by itself.
    """
    for number, sentence in enumerate(_sentences(text)):
        judged = _but_what_it_tells(sentence) if summary and number == 0 and told.writes else sentence
        if _is_order(judged, told):
            return sentence
    return None


def _but_what_it_tells(summary: str) -> str:
    """Return a summary without the steps in which the tool tells somebody something."""
    return ", ".join(step for step in _STEP.split(summary) if not _SUMMARY_SAYS.match(step))


def _sentences(text: str) -> Iterator[str]:
    for part in _SENTENCE.split(text):
        sentence = " ".join((part or "").lstrip("# \t*>-").split())
        for start in range(0, len(sentence), MAX_SENTENCE):
            yield sentence[start : start + MAX_SENTENCE]


def _is_order(sentence: str, told: Told) -> bool:
    found = [match for pattern in _PATTERNS if (match := pattern.search(sentence))]
    found += [match for pattern in (_IMPERATIVE_CALL, _ONWARD_USE) if (match := pattern.search(sentence))]
    return any(not _is_own_call(match, told) for match in found)


def _is_own_call(match: re.Match[str], told: Told) -> bool:
    """To call what the tool calls itself is what it does, and no order."""
    named = match.groupdict().get("call")
    return named is not None and named.strip("`()").rpartition(".")[2].casefold() in told.called
