"""Trajectories and typed entries: stored, maintained and found again."""

from nucleate_text_memory.values import Entry, Evidence, Kind, Occurrence, Step, StepError, Trajectory

__all__ = ["Entry", "Evidence", "Kind", "Occurrence", "Step", "StepError", "Trajectory"]
