"""Whether the examples and tests of a candidate notice wrong variants of it, and a wrong world."""
