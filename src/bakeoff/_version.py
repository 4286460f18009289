"""The version, in the only place that says it, and the versions released before it."""

__version__ = "0.2.0"

RELEASED: tuple[str, ...] = ()
"""Earlier versions whose reports may be met: ``verify`` refuses any other."""
