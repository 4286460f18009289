"""Means with intervals and tied sets, and differences of pairs."""
