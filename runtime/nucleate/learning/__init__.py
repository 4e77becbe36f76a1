"""What is learned from completed tasks: plans selected, codified into tools, and reflected upon."""

from nucleate.learning.background_models import Behind
from nucleate.learning.learner import OUTAGES, Learner

__all__ = ["OUTAGES", "Behind", "Learner"]
