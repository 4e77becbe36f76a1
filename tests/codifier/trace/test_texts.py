"""Values written in another form."""

from __future__ import annotations

from nucleate_codifier.values import Finding
from tests.codifier.trace import choices as chosen
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import findings, source


def test_texts_ids_and_dates_are_written_in_the_form_that_the_call_needs() -> None:
    assert (
        source(each(chosen.letters_to_users, count=6))
        == '''from datetime import datetime
from typing import Any


def create_ticket_and_notify_for_user(user_id: str) -> dict[str, dict[str, Any]]:
    """Get a user, get an order, open a ticket, then write to a user.

    Args:
        user_id: The user id.

    Returns:
        An object: `order` is the result of `get_order_details`, `ticket` is the result of `create_ticket`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    order = env.desk.get_order_details(order_id=f"#{user['order']}")
    ticket = env.desk.create_ticket(title=f"{user['name']['first']} {user['name']['last']}")
    env.desk.notify(user_id=user_id, text=datetime.strptime(user["born"], "%Y-%m-%d").strftime("%d/%m/%Y"))
    return {"order": order, "ticket": ticket}
'''
    )


def test_a_date_that_reads_the_same_both_ways_is_refused() -> None:
    assert findings(each(chosen.early_dates, count=6)) == (
        Finding(
            rule="trace/several-rules",
            message="'text' of desk.notify is an earlier value in another form, the date as %d/%m/%Y or the date as %m/%d/%Y: both hold in task-3, task-0, task-2, task-1",
            fix="Record a run in which these forms differ: a date after the 12th of a month, a name in another case.",
        ),
    )
