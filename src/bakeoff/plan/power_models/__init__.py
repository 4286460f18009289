"""The power of each test under its model: one file per test."""
