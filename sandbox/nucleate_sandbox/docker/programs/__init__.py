"""Programs in a warm container: calls, the blocks of a session, suites of tests."""
