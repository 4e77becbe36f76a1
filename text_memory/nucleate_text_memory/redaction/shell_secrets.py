"""Secrets as command lines and dumps of an environment hold them: variables, options, headers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nucleate_text_memory.redaction.hints import near

_VARIABLE = re.compile(
    r"(?<![A-Za-z0-9_])(?=[A-Z0-9_]{0,80}(?:PASS|SECRET|TOKEN|KEY|CREDENTIAL|_AUTH|_DSN|_PAT=))"
    r"(?P<name>[A-Z][A-Z0-9_]{0,99})=[\"']?(?P<value>[^\s\"'`,;&|(){}<>$]{6,})"
)
_ENDS = re.compile(
    r"(?P<password>PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?)|(?P<api_key>(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)_?KEY)"
    r"|(?P<secret>SECRET|_DSN)|(?P<token>TOKEN|_AUTH|_PAT)"
)
_PARTS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "password",
        ("--pass",),
        re.compile(r"--(?:password|passwd|passphrase|pass)[ =][\"']?([^\s\"'$-][^\s\"']{2,})"),
    ),
    (
        "token",
        ("token", "secret", "-key"),
        re.compile(
            r"--(?:[a-z]{1,40}-)?(?:token|secret|api-key|access-key|secret-key)[ =][\"']?([^\s\"'$-][^\s\"']{5,})"
        ),
    ),
    (
        "password",
        (" -u", "--user"),
        re.compile(r"(?:\s-u|--user)[ =]?[\"']?[\w.@+-]{1,64}:([^\s\"'$:/][^\s\"']{2,})"),
    ),
    ("password", ("sshpass",), re.compile(r"\bsshpass\s{1,9}-p\s{0,9}[\"']?([^\s\"'$]{3,})")),
    (
        "password",
        ("mysql", "mariadb"),
        re.compile(r"\b(?:mysql|mysqldump|mariadb)\b[^\n|;]{0,200}?\s-p([^\s\"'$]{3,})"),
    ),
    ("password", ("login",), re.compile(r"\blogin\s{1,9}\S{1,200}\s{1,9}password\s{1,9}(\S{3,})")),
    ("token", ("cookie",), re.compile(r"(?i:\b(?:set-)?cookie):\s{0,9}([^\n\"']{12,})")),
    (
        "token",
        ("-key", "-token", "authorization"),
        re.compile(
            r"(?i:\b(?:x-[\w-]{0,40}(?:key|token)|(?:proxy-)?authorization)):\s{0,9}(?:[A-Za-z]{1,40}\s{1,9})?([^\s\"'$]{8,})"
        ),
    ),
)
_MARKS = ("PASS", "SECRET", "TOKEN", "KEY", "CREDENTIAL", "_AUTH=", "_DSN=", "_PAT=")


def shell_secrets(text: str, lower: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, secret) of every credential in a command line, a header, or a dump of an environment.

    `lower` is the text in lower case, in which what cannot be there is found out quickly.
    """
    for begin, end in near(text, _MARKS):
        for match in _VARIABLE.finditer(text, begin, end):
            kind = _ENDS.search(match["name"])
            if kind is not None and not match["value"].startswith(("/", "./", "~")):
                yield str(kind.lastgroup), match["value"]
    for name, hints, pattern in _PARTS:
        if any(hint in lower for hint in hints):
            yield from ((name, match[1]) for match in pattern.finditer(text))
