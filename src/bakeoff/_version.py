"""The version, in the only place that says it."""

__version__ = "0.1.0"
