"""What the user said, without what programs write under the user's name: contexts, notices, reminders, listings."""

from __future__ import annotations

import re

# Blocks that a program puts before or after a prompt, or sends in its place.
_BLOCKS = (
    "system-reminder", "system_reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "ide_context",
    "environment_context", "environment_details", "user_instructions", "user_info", "user_action", "user_shell_command",
    "turn_aborted", "permissions", "permissions instructions", "instructions", "INSTRUCTIONS", "skill",
    "skills_instructions", "skill_instructions", "subagent_notification", "task-notification", "task_notification",
    "session_context", "loaded_context", "project_context", "hook_context", "user-prompt-submit-hook",
    "local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-input", "bash-stdout", "bash-stderr",
    "user-memory-input", "user-memory", "new-diagnostics", "collaboration_mode", "model_switch", "editor_context",
    "additional_data", "attached_files", "open_and_recently_viewed_files", "git_status", "project_layout",
    "feedback", "plugins_instructions", "apps_instructions",
)  # fmt: skip
_NAMES = "|".join(sorted(map(re.escape, _BLOCKS), key=len, reverse=True))
_OPENING = re.compile(rf"\s*<(?P<name>{_NAMES})(?:\s[^<>]{{0,200}})?>")
_NOTICES = re.compile(
    r"\s*(?:# AGENTS\.md instructions|caveat: the messages below|\[request interrupted|this session is being continued"
    r"|you have stopped calling tools without finishing|\[operation cancelled\]|<local-command|<bash-)",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"<command-name>\s*(/?[^<>\s]{1,100})\s*</command-name>")
_GIVEN = re.compile(r"<command-args>([^<]{0,20000})</command-args>")
_MESSAGE = re.compile(r"\s*<command-(?:name|message|args)>")
# Commands that change the program and ask nothing of the agent.
_OWN = re.compile(
    r"/(?:add-dir|agents|bashes|bug|clear|color|compact|config|context|copy|cost|doctor|effort|exit|export"
    r"|extra-usage|fast|feedback|fork|help|hooks|ide|login|logout|mcp|memory|mobile|model|new|output-style"
    r"|permissions|plugin|plugins|privacy-settings|quit|release-notes|reload-plugins|remote-control|rename"
    r"|resume|rewind|sandbox|settings|skills|stats|status|statusline|tasks|terminal-setup|theme|todos"
    r"|upgrade|usage|vim)"
)


def said_in(text: str) -> str:
    """Return the user's own words; empty where there are none. A slash command is said as it was typed."""
    command = _COMMAND.search(text) if _MESSAGE.match(text) else None
    if command is not None:
        return _typed(command[1], text)
    if _MESSAGE.match(text):
        return ""
    words = _without_blocks(text).strip()
    return "" if _NOTICES.match(words) else words


def _typed(name: str, text: str) -> str:
    name = name if name.startswith("/") else f"/{name}"
    given = _GIVEN.search(text)
    return "" if _OWN.fullmatch(name) else f"{name} {given[1].strip() if given else ''}".strip()


def _without_blocks(text: str) -> str:
    """Take blocks away from both ends; what stands between the user's words is the user's."""
    while (opening := _OPENING.match(text)) is not None:
        closing = f"</{opening['name'].split()[0]}"
        end = text.find(closing, opening.end())
        if end < 0:
            return ""
        text = text[text.find(">", end) + 1 :] if ">" in text[end:] else ""
    stripped = text.strip()
    closed = re.search(r"</([\w-]{1,40})>\Z", stripped[-60:])
    if closed is not None and closed[1] in _BLOCKS:
        start = stripped.rfind(f"<{closed[1]}")
        return _without_blocks(stripped[:start]) if start >= 0 else text
    return text if stripped else ""
