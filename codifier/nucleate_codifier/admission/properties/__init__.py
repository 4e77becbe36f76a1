"""Properties that hold for every tool, tried on generated arguments."""
