"""Ranks with simultaneous intervals."""
