"""Ratings from who beat whom."""
