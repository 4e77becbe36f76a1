"""Background work in the database, and who does it: a thread of this process, the caller, or another process."""

from nucleate.jobs.background import Background, Inline, Off, start_background
from nucleate.jobs.job_values import Job, JobRecord, JobState, NewJob, Retries
from nucleate.jobs.lease import Interrupted
from nucleate.jobs.owners import process_identity
from nucleate.jobs.pace import Pace
from nucleate.jobs.queue import Effect, Jobs
from nucleate.jobs.thread import WorkerThread
from nucleate.jobs.working import Deferred, Handler, Worker

__all__ = [
    "Background",
    "Deferred",
    "Effect",
    "Handler",
    "Inline",
    "Interrupted",
    "Job",
    "JobRecord",
    "JobState",
    "Jobs",
    "NewJob",
    "Off",
    "Pace",
    "Retries",
    "Worker",
    "WorkerThread",
    "process_identity",
    "start_background",
]
