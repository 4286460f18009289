"""The report of a race."""
