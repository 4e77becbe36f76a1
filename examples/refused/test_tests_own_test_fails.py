def test_ann_paid_for_one_order() -> None:
    assert tool(customer="ann") == 41.0
