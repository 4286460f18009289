"""Performance and data profiles."""
