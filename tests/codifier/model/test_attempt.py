"""The model codifier's loop: how an attempt ends, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nucleate.environments import ObjectEnvironment
from nucleate_codifier.chat import CostCapReached, ModelUnavailable, Reply, ReplyEnding, ScriptedModel
from nucleate_codifier.model import Attempt, Budget, prompts_hash
from nucleate_codifier.values import Decision
from nucleate_sandbox import NONE, Failure, Functions, Limits, Lock, Module, MontySandbox, SandboxError, TestReport
from tests.codifier.model.desk import attempt, minded, writing
from tests.doubles import BrokenSandbox, InProcessSandbox, InProcessSession
from tests.mailroom import ALWAYS_TWO, GOOD, INVENTED, Mailroom, submission, turn


class WithoutPytest(InProcessSandbox):
    """A sandbox that runs tools and lacks pytest."""

    def open(
        self,
        *,
        functions: Functions = NONE,
        limits: Limits = Limits(),  # noqa: B008
        packages: Lock | None = None,
    ) -> InProcessSession:
        """Open a session that cannot run test files."""
        return WithoutPytestSession(self, functions, limits)


class WithoutPytestSession(InProcessSession):
    """One session of it."""

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Say what is lacking."""
        return TestReport(failure=Failure(kind="NotImplementedError", message="no pytest", unsupported=True))


LOOK = turn({"do": "search_functions", "query": "labels"})


def rule(result: Attempt) -> str:
    """Return why nothing was accepted."""
    assert result.accepted == ()
    assert result.finding is not None
    return result.finding.rule


def test_a_good_submission_is_accepted_with_evidence_from_seen_and_held_out_runs(monty_sandbox: MontySandbox) -> None:
    result = attempt(writing([GOOD]), monty_sandbox)
    (judged,) = result.accepted
    assert judged.verdict.decision is Decision.PROVISIONAL
    assert (len(judged.evidence.seen), len(judged.evidence.held_out)) == (3, 2)
    assert judged.candidate.origin == {
        "codifier": "model",
        "model": "scripted",
        "prompts": prompts_hash(),
        "round": 1,
        "turns": 1,
        "tokens": 0,
        "dollars": 0.0,
        "covers": {"customer": "whose labels", "count": "how many labels"},
    }


def test_a_refused_submission_may_be_corrected_once(monty_sandbox: MontySandbox) -> None:
    model = writing([INVENTED, GOOD])
    result = attempt(model, monty_sandbox)
    assert [[item.accepted for item in judged] for judged in result.rounds] == [[False], [True]]
    told = model.asked[1][-1].content
    assert "line 11, `closure/unknown-function`: the environment has no function 'mailroom.street_of'" in told
    assert "def print_labels" not in told


def test_a_second_refusal_ends_the_attempt(monty_sandbox: MontySandbox) -> None:
    model = writing([ALWAYS_TWO, ALWAYS_TWO, GOOD])
    result = attempt(model, monty_sandbox)
    assert rule(result) == "model/refused-twice"
    assert len(result.rounds) == len(model.asked) == 2


def test_the_model_may_give_up_with_a_reason(monty_sandbox: MontySandbox) -> None:
    result = attempt(ScriptedModel([turn({"do": "give_up", "reason": "nothing varies"})]), monty_sandbox)
    assert (rule(result), result.finding and result.finding.message) == ("model/gave-up", "nothing varies")


def test_an_attempt_out_of_turns_registers_nothing(monty_sandbox: MontySandbox) -> None:
    result = attempt(ScriptedModel([LOOK, LOOK, LOOK]), monty_sandbox, budget=Budget(turns=2))
    assert (rule(result), result.origin["turns"]) == ("model/out-of-turns", 2)


def test_an_attempt_out_of_turns_while_arguments_are_asked_for_registers_nothing(monty_sandbox: MontySandbox) -> None:
    result = attempt(writing([GOOD]), monty_sandbox, budget=Budget(turns=1))
    assert rule(result) == "model/out-of-turns"


def test_an_attempt_out_of_tokens_registers_nothing(monty_sandbox: MontySandbox) -> None:
    replies = [Reply(text=LOOK, prompt_tokens=70, completion_tokens=40, dollars=0.0)] * 2
    result = attempt(ScriptedModel(replies), monty_sandbox, budget=Budget(tokens=100))
    assert (rule(result), result.origin["tokens"]) == ("model/out-of-tokens", 110)


def test_an_attempt_out_of_money_registers_nothing(monty_sandbox: MontySandbox) -> None:
    replies = [Reply(text=LOOK, dollars=0.06)] * 3
    result = attempt(ScriptedModel(replies), monty_sandbox, budget=Budget(dollars=0.1))
    assert (rule(result), result.origin["dollars"]) == ("model/out-of-money", 0.12)


def test_a_budget_of_money_is_not_trusted_to_a_model_without_a_price(monty_sandbox: MontySandbox) -> None:
    replies = [Reply(text=LOOK)] * 2
    result = attempt(ScriptedModel(replies), monty_sandbox, budget=Budget(dollars=1.0))
    assert (rule(result), result.origin["dollars"]) == ("model/out-of-price", None)


def test_without_a_budget_of_money_an_unknown_price_is_stated_and_no_hindrance(monty_sandbox: MontySandbox) -> None:
    replies = [Reply(text=LOOK), Reply(text=turn({"do": "give_up", "reason": "no"}))]
    assert attempt(ScriptedModel(replies), monty_sandbox).origin["dollars"] is None


def test_a_malformed_reply_costs_a_turn_and_is_answered_with_the_exact_fault(monty_sandbox: MontySandbox) -> None:
    bad = ['{"thought": "x", "action": {"do": "fly"}}', "no JSON", turn({"do": "try_code"})]
    model = ScriptedModel([*bad, turn({"do": "give_up", "reason": "no"})])
    result = attempt(model, monty_sandbox)
    assert result.origin["turns"] == 4
    told = [messages[-1].content for messages in model.asked[1:]]
    assert "action: 'do' is 'fly'; it is one of 'try_code', 'search_functions'" in told[0]
    assert "the reply holds no JSON object" in told[1]
    assert "action.try_code.code: Field required" in told[2]


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        pytest.param(Reply(text='{"thou', ending=ReplyEnding.LENGTH), "cut off at the output limit", id="cut-off"),
        pytest.param(Reply(text="I will not.", ending=ReplyEnding.REFUSAL), "the reply was a refusal", id="refused"),
    ],
)
def test_a_reply_without_an_action_costs_a_turn_and_the_model_is_told_why(
    monty_sandbox: MontySandbox, reply: Reply, fault: str
) -> None:
    model = ScriptedModel([reply, turn({"do": "give_up", "reason": "no"})])
    assert attempt(model, monty_sandbox).origin["turns"] == 2
    assert fault in model.asked[1][-1].content


def test_an_action_in_a_fenced_block_is_read(monty_sandbox: MontySandbox) -> None:
    fenced = f"```json\n{turn({'do': 'give_up', 'reason': 'no'})}\n```"
    assert rule(attempt(ScriptedModel([fenced]), monty_sandbox)) == "model/gave-up"


@pytest.mark.parametrize("error", [ModelUnavailable("down"), CostCapReached("enough")], ids=["outage", "cap"])
def test_an_outage_of_the_model_ends_the_attempt_as_an_outage(
    monty_sandbox: MontySandbox, error: ModelUnavailable | CostCapReached
) -> None:
    with pytest.raises(type(error), match=str(error)):
        attempt(ScriptedModel([LOOK, error]), monty_sandbox)


def test_an_outage_of_the_sandbox_is_no_refusal() -> None:
    with pytest.raises(SandboxError, match="no engine answers"):
        attempt(writing([GOOD]), BrokenSandbox())


def test_two_runs_are_too_few_and_the_model_is_not_asked(monty_sandbox: MontySandbox) -> None:
    model = writing([GOOD])
    assert rule(attempt(model, monty_sandbox, tasks=(0, 1))) == "model/too-few-runs"
    assert model.asked == []


def test_code_is_tried_on_a_copy_with_read_functions_alone(monty_sandbox: MontySandbox) -> None:
    room = Mailroom()
    tries = ["env.mailroom.find_street(customer='Ada')['street']", "env.mailroom.print_label(street='x')"]
    replies = [*(turn({"do": "try_code", "code": code}) for code in tries), turn({"do": "give_up", "reason": "no"})]
    model = ScriptedModel(replies)
    attempt(model, monty_sandbox, live=ObjectEnvironment("mailroom", room))
    assert model.asked[1][-1].content.startswith('It returned "Quay 1-zq7".')
    assert "print_label" in model.asked[2][-1].content
    assert "raised" in model.asked[2][-1].content
    assert room.printed == []


def test_without_a_copy_of_the_environment_code_runs_without_functions(monty_sandbox: MontySandbox) -> None:
    model = ScriptedModel([turn({"do": "try_code", "code": "1 + 1"}), turn({"do": "give_up", "reason": "no"})])
    attempt(model, monty_sandbox)
    assert "may call: no function" in model.asked[0][1].content
    assert model.asked[1][-1].content.startswith("It returned 2.")


def test_functions_are_described_on_demand_and_never_listed_whole(monty_sandbox: MontySandbox) -> None:
    names = ["mailroom.print_label", "mailroom.print_labels"]
    replies = [*(turn({"do": "describe_function", "name": name}) for name in names), LOOK]
    model = ScriptedModel([*replies, turn({"do": "give_up", "reason": "no"})])
    attempt(model, monty_sandbox)
    assert "mailroom (2)" in model.asked[0][1].content
    assert "print_label" not in "".join(message.content for message in model.asked[0])
    assert model.asked[1][-1].content.startswith("`mailroom.print_label` (write)\n\nPrint one address label.")
    assert "The nearest names: `mailroom.print_label`" in model.asked[2][-1].content
    assert "* `mailroom.find_street(customer)` (read): Find the street of a customer." in model.asked[3][-1].content


def test_a_conversation_only_grows_so_that_its_beginning_can_be_cached(monty_sandbox: MontySandbox) -> None:
    model = ScriptedModel([LOOK, LOOK, turn({"do": "give_up", "reason": "no"})])
    attempt(model, monty_sandbox)
    assert [earlier == later[: len(earlier)] for earlier, later in zip(model.asked, model.asked[1:], strict=False)] == [
        True,
        True,
    ]


def test_a_tool_that_serves_no_held_out_query_has_no_evidence_and_is_refused(monty_sandbox: MontySandbox) -> None:
    def mind(contents: list[str]) -> str:
        if contents[0].startswith("You call"):
            return '{"bindings": []}'
        return submission(GOOD, contents[1])

    result = attempt(minded(mind), monty_sandbox)
    assert "replay/no-held-out-evidence" in [finding.rule for finding in result.rounds[0][0].verdict.findings]


def test_what_the_sandbox_cannot_run_ends_the_attempt_and_is_not_paid_for_again() -> None:
    result = attempt(writing([GOOD]), WithoutPytest())
    assert rule(result) == "model/needs-docker"
    assert result.finding is not None
    assert "no pytest" in result.finding.message


def test_faults_of_the_text_alone_use_up_no_corrective_round(monty_sandbox: MontySandbox) -> None:
    bare = GOOD.replace("-> list[dict[str, str]]", "-> list")
    model = writing([bare, bare, GOOD])
    result = attempt(model, monty_sandbox)
    assert [item.candidate.source for item in result.accepted] == [GOOD]
    assert "These are faults of the text alone: correct them and submit again." in model.asked[1][-1].content
