"""Modules that exports carry along as they are: they need nothing but the standard library."""
