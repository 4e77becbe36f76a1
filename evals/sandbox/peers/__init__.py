"""The sandboxes that others made, each driven from an environment of its own."""
