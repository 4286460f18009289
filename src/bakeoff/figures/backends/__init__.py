"""Diagrams in bytes: one drawing backend per file."""
