"""Layout of the diagrams of a comparison."""
