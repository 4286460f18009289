"""The report of times of commands."""
