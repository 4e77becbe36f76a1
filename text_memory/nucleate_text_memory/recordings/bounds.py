"""Long texts of strangers are kept by their beginning and their end, with the number of characters between."""

from __future__ import annotations

from nucleate_text_memory.values import Json

LONGEST = 32_768


def bounded(value: Json, *, longest: int = LONGEST) -> Json:
    """Return the value with every text in it cut to its head and tail."""
    if isinstance(value, str):
        return bounded_text(value, longest=longest)
    if isinstance(value, list):
        return [bounded(item, longest=longest) for item in value]
    if isinstance(value, dict):
        return {key: bounded(item, longest=longest) for key, item in value.items()}
    return value


def bounded_text(text: str, *, longest: int = LONGEST) -> str:
    """Return the text, or its two ends."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
