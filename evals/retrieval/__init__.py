"""How well evidence is found in conversations, and how fast among a million entries."""
