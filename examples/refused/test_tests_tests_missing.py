import pytest


@pytest.mark.skip
def test_ann_paid_for_one_order() -> None:
    assert tool(customer="ann") == 40.0


if False:

    def test_nobody() -> None:
        assert tool(customer="eve") == 0
