"""Background work in the database, and who does it: a thread of this process, the caller, or another process."""

from nucleate.jobs.background import Background, Inline, Off, start_background
from nucleate.jobs.pace import Pace
from nucleate.jobs.queue import MAX_ATTEMPTS, Job, Jobs, process_identity
from nucleate.jobs.thread import WorkerThread
from nucleate.jobs.worker import Handler, Worker

__all__ = [
    "MAX_ATTEMPTS",
    "Background",
    "Handler",
    "Inline",
    "Job",
    "Jobs",
    "Off",
    "Pace",
    "Worker",
    "WorkerThread",
    "process_identity",
    "start_background",
]
