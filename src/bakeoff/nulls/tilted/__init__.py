"""Tails by inversion of exponentially tilted characteristic functions."""
