"""Diagrams of times of commands."""
