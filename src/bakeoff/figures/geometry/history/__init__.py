"""Diagrams of histories."""
