"""Estimates with their intervals, a row each: one layout for every result that has them."""
