"""From a Comparison to shapes: pure, in points, without any drawing library."""
