"""Runtimes with timeouts."""
