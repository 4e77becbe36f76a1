"""Refunds with a word to the customer."""


def refund_and_tell(customer: str, share: float, text: str) -> str:
    """Refund a share of each delivered order of a customer, write to them, and return the mail's id."""
    refund_delivered(customer=customer, share=share)
    return env.mail.send(customer=customer, text=text)["mail_id"]
