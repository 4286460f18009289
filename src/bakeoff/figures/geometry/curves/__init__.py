"""Figures of whole curves."""
