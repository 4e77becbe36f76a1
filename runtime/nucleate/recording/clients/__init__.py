"""Clients of model services, wrapped so that the tool calls that pass through them are recorded."""

from nucleate.recording.clients.choosing import recorded_client

__all__ = ["recorded_client"]
