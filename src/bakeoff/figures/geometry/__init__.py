"""From a result to shapes: pure, in points, without any drawing library."""
