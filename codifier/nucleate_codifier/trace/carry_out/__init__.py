"""Carries a template out: as evidence for the gates, and in the place of recorded steps."""
