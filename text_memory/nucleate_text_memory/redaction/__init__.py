"""Secrets and personal identifiers are replaced before anything is stored."""
