"""Interquartile means over tasks and runs."""
