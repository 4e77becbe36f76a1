"""Evaluations: one runnable module per question, never packaged."""
