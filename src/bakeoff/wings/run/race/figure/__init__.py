"""Layout of the diagrams of a race."""
