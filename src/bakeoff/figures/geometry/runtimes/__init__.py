"""Figures of runtimes with timeouts."""
