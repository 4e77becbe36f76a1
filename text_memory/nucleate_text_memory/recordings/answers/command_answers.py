"""What a shell answered: agents write the exit code before, around or after the output, each in its own form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nucleate_text_memory.values import StepError

KIND = "CommandFailed"
_LAST = 400  # characters at the end of an output in which an exit code may stand
_HEAD = re.compile(
    r"(?:Chunk ID: \S{1,40}|Wall time: [\d.]{1,20} (?:seconds|s)|Process exited with code (?P<exited>-?\d{1,10})"
    r"|Exit code: (?P<code>-?\d{1,10})|Process running with session ID \d{1,20}"
    r"|(?:Original token count|Total output lines): \d{1,20})\n"
)
_BEGINS = re.compile(r"(?:Error: )?(?:Command failed with )?[Ee]xit code:? (-?\d{1,10})(?:\n|$)")
_TAGGED = re.compile(r"<returncode>\s*(-?\d{1,10})\s*</returncode>\s*(?:<output>\n?(.*?)\n?</output>)?", re.DOTALL)
_GEMINI = re.compile(r"(?:Command: [^\n]*\n)?(?:Directory: [^\n]*\n)?(?:Output|Stdout): ")
_GEMINI_LAST = re.compile(
    r"\n(?:(?P<key>Error|Exit Code|Signal|Background PIDs|Process Group PGID|Stderr): (?P<value>[^\n]*))\Z"
)
_ENDS = re.compile(
    r"(?:\n|^)\W{0,3}(?:the )?(?:command |process |shell command )?(?:finished |exited |completed |failed )?"
    r"(?:with )?(?:non-zero )?(?:exit(?:ed)? (?:with )?(?:code|status)|return ?code|exit):? ?(-?\d{1,10})\W{0,3}\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class CommandAnswer:
    """A command's output without what the agent wrote around it, and its exit code where it is told."""

    output: str
    code: int | None = None

    @property
    def error(self) -> StepError | None:
        """Return the error of a command that did not end with 0."""
        if not self.code:
            return None
        said = self.output.strip("\n")
        return StepError(kind=KIND, message=f"Exit code {self.code}" + (f"\n{said}" if said else ""))


def command_answer(text: str, *, certain: bool = False) -> CommandAnswer | None:
    """Return what a command answered; None where the text has none of the forms of it.

    `certain` says that a command was run for certain: then a last line such as `exit code: 3` counts as well.
    """
    forms: list[Callable[[str], CommandAnswer | None]] = [_headed, _as_json, _labelled, _tagged]
    forms += [begun_answer, _ended] if certain else []
    return next((found for form in forms if (found := form(text)) is not None), None)


def _headed(text: str) -> CommandAnswer | None:
    """Read Codex's lines before `Output:`; one such head may stand within another."""
    code, at, heads = None, 0, 0
    while True:
        found = list(_heads(text, at))
        end = found[-1].end() if found else at
        if not found or not text.startswith("Output:", end):
            break
        told = next((match["exited"] or match["code"] for match in found if match["exited"] or match["code"]), None)
        code = int(told) if told is not None else code
        at, heads = end + len("Output:"), heads + 1
        at += text.startswith("\n", at)
    return CommandAnswer(output=text[at:], code=code) if heads else None


def _heads(text: str, at: int) -> Iterator[re.Match[str]]:
    while (found := _HEAD.match(text, at)) is not None:
        yield found
        at = found.end()


def _as_json(text: str) -> CommandAnswer | None:
    """Read what Codex's `shell` answered: an output, and the exit code among the metadata, and nothing else."""
    if '"exit_code"' not in text or not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.keys() != {"output", "metadata"} or not isinstance(value["metadata"], dict):
        return None
    code, output = value["metadata"].get("exit_code"), value["output"]
    told = isinstance(code, int) and not isinstance(code, bool) and isinstance(output, str)
    return CommandAnswer(output=output, code=code) if told else None


def _labelled(text: str) -> CommandAnswer | None:
    """Read Gemini's `Output: …` with its labelled lines at the end."""
    inner = _untrusted(text)
    begun = _GEMINI.match(inner)
    if begun is None or not (inner is not text or "\nExit Code: " in inner or "\nProcess Group PGID: " in inner):
        return None
    inner, told = inner[begun.end() :], dict[str, str]()
    while (last := _GEMINI_LAST.search(inner, max(0, len(inner) - _LAST))) is not None:
        told[last["key"]] = last["value"]
        inner = inner[: last.start()]
    code = told.get("Exit Code", "0")
    errors = [told[key] for key in ("Stderr", "Error") if told.get(key, "(none)") not in ("(none)", "")]
    output = "" if inner == "(empty)" else inner
    failed = int(code) if re.fullmatch(r"-?\d{1,10}", code) else 0
    return CommandAnswer(output="\n".join([output, *errors]) if errors else output, code=failed)


def _untrusted(text: str) -> str:
    """Return what stands within `<untrusted_context>`, or the text itself."""
    inner = text.strip()
    if inner.startswith("<untrusted_context>") and inner.endswith("</untrusted_context>"):
        return inner.removeprefix("<untrusted_context>").removesuffix("</untrusted_context>").strip("\n")
    return text


def unwrapped(text: str) -> str:
    """Return an answer without the mark that it is not to be trusted, which is about the agent and not the answer."""
    return _untrusted(text)


def _tagged(text: str) -> CommandAnswer | None:
    found = _TAGGED.match(text.lstrip())
    return None if found is None else CommandAnswer(output=found[2] or "", code=int(found[1]))


def begun_answer(text: str) -> CommandAnswer | None:
    """Return what a failed command answered whose exit code stands in the first line, as Claude Code writes it."""
    found = _BEGINS.match(text)
    return None if found is None else CommandAnswer(output=text[found.end() :], code=int(found[1]))


def _ended(text: str) -> CommandAnswer | None:
    cut = max(0, len(text) - _LAST)
    found = _ENDS.search(text, cut)
    return None if found is None else CommandAnswer(output=text[: found.start()], code=int(found[1]))
