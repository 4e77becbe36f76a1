"""Recorded tasks of the Berkeley function-calling leaderboard, replayed and learned from."""
