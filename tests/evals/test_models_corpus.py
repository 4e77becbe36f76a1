"""Replies as models really write them are read as they are meant, whatever stands around them."""

from dataclasses import replace

import pytest

from evals.models.corpus import WrittenReply, corpus, fault_in
from nucleate_codifier.chat import ReplyEnding

ALL = corpus()
READABLE = [item for item in ALL if "told" not in item.expected]
WHOLE = [item for item in READABLE if "ending" not in item.expected and "long" not in item.expected]
AROUND = {
    "thoughts before": "<think>\nI could also give up.\n</think>\n\n{}",
    "an end mark": "{}<|im_end|>",
    "line breaks of Windows": "{}",
}


def test_the_corpus_is_large_and_of_every_family() -> None:
    assert len(ALL) >= 150
    families = {item.family for item in ALL}
    assert families == {"openai", "anthropic", "gemini", "llama", "qwen", "deepseek", "mistral", "gpt-oss"}


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_a_reply_is_read_as_it_is_meant(item: WrittenReply) -> None:
    assert fault_in(item) == ""


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_around_a_reply_changes_nothing(name: str) -> None:
    faults = {item.name: fault_in(_around(item, name)) for item in WHOLE if _takes(item, name)}
    assert {key: fault for key, fault in faults.items() if fault} == {}


def test_a_reply_that_was_cut_off_behind_its_action_still_counts() -> None:
    cut = [replace(item, reply=replace(item.reply, ending=ReplyEnding.LENGTH)) for item in WHOLE if _closed(item)]
    assert {item.name: fault for item in cut if (fault := fault_in(item))} == {}


def _around(item: WrittenReply, name: str) -> WrittenReply:
    text = AROUND[name].replace("{}", item.reply.text)
    text = text.replace("\n", "\r\n") if name == "line breaks of Windows" else text
    return replace(item, reply=replace(item.reply, text=text))


def _takes(item: WrittenReply, name: str) -> bool:
    own = ("think", "analysis", "<|", "tool_call>", "<｜")
    return name == "an end mark" or not any(mark in item.reply.text for mark in own)


def _closed(item: WrittenReply) -> bool:
    return item.part != "executor" or ("```python\n" in item.reply.text and item.reply.text.count("```") > 1)
