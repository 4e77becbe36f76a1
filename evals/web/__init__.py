"""How fast the page is over a large library, in a real browser."""
