"""Layout of the diagrams of Bayesian results."""
