"""Two metrics of the same algorithms."""
