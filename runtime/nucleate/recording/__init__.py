"""Recording what agents do: in an own loop, by decorators, through the clients and frameworks that people have."""

from nucleate.recording.current import current, recorded
from nucleate.recording.functions import FunctionEnvironment
from nucleate.recording.log import StepLog
from nucleate.recording.task import Recording

__all__ = ["FunctionEnvironment", "Recording", "StepLog", "current", "recorded"]
