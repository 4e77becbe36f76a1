"""Turns recurring plans into candidate tools, and judges candidates."""
