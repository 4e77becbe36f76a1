"""How well admission tells good tools from bad ones, and how fast."""
