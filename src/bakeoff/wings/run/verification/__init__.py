"""Replaying every stored decision from the stored runs: ``bakeoff verify``."""
