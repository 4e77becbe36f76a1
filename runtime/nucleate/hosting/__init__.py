"""What keeps a recorded program from waiting for what records it, or failing by it."""

from nucleate.hosting.attaching import Attaching
from nucleate.hosting.hosting import EXIT_MILLISECONDS, Hosting
from nucleate.hosting.keeping import Keeping
from nucleate.hosting.leaving import Leaving, left

__all__ = ["EXIT_MILLISECONDS", "Attaching", "Hosting", "Keeping", "Leaving", "left"]
