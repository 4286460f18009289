"""The report of a history of benchmarks."""
