"""What is learned from completed tasks: plans selected, codified into tools, and reflected upon."""

from nucleate.learning.background_models import Behind
from nucleate.learning.learner import OUTAGES, Learner
from nucleate.learning.reviewing import review_of

__all__ = ["OUTAGES", "Behind", "Learner", "review_of"]
