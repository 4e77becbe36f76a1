"""Lays recorded runs side by side: their steps, loops and pages, and where a value stands."""
