"""Several metrics of the same algorithms."""
