"""Background work in the database, and who does it: a thread of this process, the caller, or another process."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.jobs.background import Background, Inline, Off, start_background
    from nucleate.jobs.job_values import Job, JobRecord, JobState, NewJob, Retries
    from nucleate.jobs.lease import Interrupted
    from nucleate.jobs.owners import process_identity
    from nucleate.jobs.pace import Pace
    from nucleate.jobs.queue import Effect, Jobs
    from nucleate.jobs.thread import WorkerThread
    from nucleate.jobs.working import Deferred, Handler, Worker
else:
    _PLACES = {
        "Background": "background",
        "Deferred": "working",
        "Effect": "queue",
        "Handler": "working",
        "Inline": "background",
        "Interrupted": "lease",
        "Job": "job_values",
        "JobRecord": "job_values",
        "JobState": "job_values",
        "Jobs": "queue",
        "NewJob": "job_values",
        "Off": "background",
        "Pace": "pace",
        "Retries": "job_values",
        "Worker": "working",
        "WorkerThread": "thread",
        "process_identity": "owners",
        "start_background": "background",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

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
