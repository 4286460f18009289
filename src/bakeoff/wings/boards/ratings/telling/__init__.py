"""Strengths by who beat whom, and by category."""
