def test_only_what_was_delivered_is_paid_back() -> None:
    assert tool(customer="ann", share=0.5) == ["R-W101"]
