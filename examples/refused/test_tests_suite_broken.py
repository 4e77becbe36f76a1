import nothing_of_this_name


def test_ann_paid_for_one_order() -> None:
    assert tool(customer="ann") == 40.0
