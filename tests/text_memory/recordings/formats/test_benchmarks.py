"""Results of tau-bench, tau2-bench and BFCL become trajectories with their outcomes."""

from __future__ import annotations

import json
from typing import Any

from nucleate_text_memory import BadLine
from tests.text_memory.recordings.formats.reading import read, tasks
from tests.text_memory.runs import failed, ok


def simulation(task: str, *messages: dict[str, Any], reward: float = 1.0) -> dict[str, Any]:
    return {"id": f"sim-{task}", "task_id": task, "trial": 0, "messages": messages, "reward_info": {"reward": reward}}


TALK: list[dict[str, Any]] = [
    {"role": "assistant", "content": "Hi! How can I help?", "tool_calls": None, "turn_idx": 0},
    {"role": "user", "content": "Cancel W1.", "tool_calls": None},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "name": "get_order", "arguments": {"id": "W1"}, "requestor": "assistant"}],
    },
    {"id": "c1", "role": "tool", "content": '{"status": "open"}', "requestor": "assistant", "error": False},
    {
        "role": "user",
        "content": None,
        "tool_calls": [{"id": "u1", "name": "toggle_data", "arguments": {}, "requestor": "user"}],
    },
    {"id": "u1", "role": "tool", "content": "on", "requestor": "user", "error": False},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c2", "name": "cancel", "arguments": {"id": "W1"}}]},
    {"id": "c2", "role": "tool", "content": "not allowed", "requestor": "assistant", "error": True},
]


def test_simulations_of_tau2_become_trajectories_from_a_document_over_many_lines() -> None:
    info = {"environment_info": {"domain_name": "retail"}, "agent_info": {"llm": "m"}}
    document = {"info": info, "tasks": [], "simulations": [simulation("7", *TALK, reward=0.0), {"task_id": "8"}]}
    task, bad = read(*json.dumps(document, indent=1).splitlines())
    assert not isinstance(task, BadLine)
    assert (task.task_id, task.query, task.environment) == ("tau2-retail-7-trial-0", "Cancel W1.", "retail")
    assert (task.success, task.reward) == (False, 0.0)
    assert task.steps == (
        ok("retail.get_order", {"status": "open"}, id="W1"),
        failed("retail.cancel", "not allowed", id="W1"),
    )
    assert task.meta == {"format": "tau2", "id": "sim-7", "reward_info": {"reward": 0.0}}
    assert isinstance(bad, BadLine)
    assert (bad.number, bad.message.splitlines()[0]) == (2, "simulation 2: 1 validation error for ConversationLine")


def test_runs_of_tau_bench_are_conversations_named_after_task_and_trial() -> None:
    run = {"task_id": 3, "trial": 1, "reward": 1.0, "info": {"x": 1}, "traj": TALK[1:2]}
    (task,) = tasks(json.dumps([run]), environment="airline")
    assert (task.task_id, task.query, task.reward, task.meta) == (
        "tau-3-trial-1",
        "Cancel W1.",
        1.0,
        {"trial": 1, "info": {"x": 1}},
    )


TURN: dict[str, Any] = {
    "begin_of_turn_query": [{"role": "user", "content": "Go to docs."}],
    "step_0": [
        {"role": "assistant", "content": "[cd(folder='docs'), ls(a=True)]"},
        {"role": "handler_log", "model_response_decoded": ["cd(folder='docs')", "ls('all', a=True)"]},
        {"role": "tool", "content": '{"current_working_directory": "docs"}'},
        {"role": "tool", "content": '{"error": "no such folder"}'},
    ],
    "step_1": [{"role": "handler_log", "content": "Error decoding the model response."}],
}


def test_results_of_bfcl_take_their_calls_from_the_log() -> None:
    (task,) = tasks(
        {
            "id": "multi_turn_base_0",
            "result": [[["cd"]]],
            "inference_log": [[{"role": "state_info"}], TURN],
            "latency": 3,
        },
        environment="files",
    )
    assert (task.task_id, task.query) == ("bfcl:multi_turn_base_0", "Go to docs.")
    assert task.steps == (
        ok("files.cd", {"current_working_directory": "docs"}, folder="docs"),
        failed("files.ls", "no such folder", arg0="all", a=True),
    )
    assert task.meta == {"format": "bfcl", "latency": 3}


def test_a_result_without_its_log_is_refused_with_the_reason() -> None:
    (bad,) = read({"id": "simple_0", "result": [{"area": '{"b": 1}'}]}, environment="files")
    assert isinstance(bad, BadLine)
    assert bad.message == "'simple_0' has no inference_log with turns, so what its calls did is not known"
