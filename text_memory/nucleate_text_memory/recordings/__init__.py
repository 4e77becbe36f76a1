"""Recordings of agents: read from every known format, and kept as trajectories."""
