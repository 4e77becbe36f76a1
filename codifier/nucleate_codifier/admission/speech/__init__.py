"""What a candidate says to people and agents: secrets, orders, and every text that is shown."""
