"""The page: served by the application, and in a real browser."""
