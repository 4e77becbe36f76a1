"""The scripted model of the loop's evaluation errs as it says, and is helped by nothing but its prompt."""

from __future__ import annotations

from evals.loop.model import ErringModel
from evals.loop.modes import run_mode, slips
from evals.loop.reading import read_prompt
from nucleate.demo.tasks import task_stream
from nucleate_codifier.chat import Message, Role
from nucleate_sandbox import MontySandbox

QUERY = "A parcel was damaged on its way: refund 24.75 for O-20005, note it there and write to the buyer."
HEAD = """Instructions.

# The environment: shop

## env.mail

* `send_mail(to: str) -> {message_id: str}` (write) Send a prepared e-mail. More.

## env.refunds

* `create_refund(payment_id: str, amount: float) -> {refund_id: str}` (write) Refund a payment in part or whole.

# Tools

"""
TOOL = """* `give_back(order_id: str, amount: float) -> dict[str, Any]`
  Look up an order, refund a payment in part
  or whole, then send a prepared e-mail.
"""
PLAN = "## Plan: Refund\n\n`orders.get_order`, `payments.get_payment`, `refunds.create_refund`, `mail.send_mail`\n(plan-1)\n"
PITFALL = "## Pitfall: amounts\n\nTrigger: calling `refunds.create_refund` with `amount`.\n(pitfall-1)\n"


def replies(slip: str, *, tools: str = "(none)", guidance: str = "(none)") -> list[str]:
    """Return the code of every reply to a prompt, if nothing ever fails."""
    system = f"{HEAD}{tools}\n\n# What is known from earlier tasks\n\n{guidance}"
    messages = [Message(role=Role.SYSTEM, content=system), Message(role=Role.USER, content=QUERY)]
    found: list[str] = []
    while not found or "finish(" not in found[-1]:
        found.append(ErringModel({QUERY: slip}).complete(messages).text)
        messages += [Message(role=Role.ASSISTANT, content=found[-1]), Message(role=Role.USER, content="value: 1")]
    return [text.partition("```python\n")[2].removesuffix("\n```") or text for text in found]


def test_without_a_slip_it_makes_the_calls_and_says_that_it_is_done() -> None:
    calls = replies("")
    assert len(calls) == 7
    assert calls[0] == 'order = env.orders.get_order(order_id="O-20005")'
    assert calls[-1] == 'finish("done")'


def test_each_slip_is_made_unless_what_keeps_from_it_stands_in_the_prompt() -> None:
    usual = replies("")
    for slip, extra in (("value", 1), ("retries", 3), ("ignores", 0), ("invents", 1), ("forgets", 1), ("stops_early", -1)):  # fmt: skip
        assert len(replies(slip)) == len(usual) + extra, slip
    for slip in ("value", "retries", "ignores"):
        assert replies(slip, guidance=PITFALL) == usual, slip
        assert replies(slip, guidance=PLAN) != usual, slip
    for slip in ("invents", "forgets", "stops_early"):
        assert replies(slip, guidance=PLAN) == usual, slip
        assert replies(slip, guidance=PITFALL) != usual, slip


def test_a_tool_is_called_where_its_documentation_covers_the_task() -> None:
    assert replies("", tools=TOOL) == ["give_back(order_id='O-20005', amount=24.75)", 'finish("done")']
    assert replies("forgets", tools=TOOL)[:1] == ["give_back(order_id='O-20005')"]
    assert len(replies("", tools=TOOL.replace("refund a payment", "look at a payment"))) == 7


def test_the_real_prompt_can_be_read(monty_sandbox: MontySandbox) -> None:
    mode = run_mode("none", monty_sandbox, task_stream()[:3], worker="off")
    assert [item.solved for item in mode.done] == [True, True, False]
    assert [item.result.spent.steps for item in mode.done] == [8, 8, 6]
    assert mode.tools == 0


def test_slips_come_round_within_a_family() -> None:
    found = list(slips(task_stream()).values())
    assert (found[0], found[2], found[5]) == ("value", "stops_early", "forgets")


def test_a_prompt_without_memory_holds_no_tools_and_no_guidance() -> None:
    prompt = read_prompt(f"{HEAD}(none)\n\n# What is known from earlier tasks\n\n(none)")
    assert (prompt.tools, prompt.plans, prompt.warnings) == ((), (), ())
    assert prompt.docs == {
        "mail.send_mail": "send a prepared e-mail",
        "refunds.create_refund": "refund a payment in part or whole",
    }
