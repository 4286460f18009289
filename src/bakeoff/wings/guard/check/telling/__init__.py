"""A check: the gate's answer for a terminal, a build page and a test report."""
