"""Layout of power curves."""
