def test_it_is_there() -> None:
    assert callable(tool)
