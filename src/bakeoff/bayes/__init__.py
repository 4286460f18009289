"""The probability that one algorithm is better, and joint statements about all of them: ``bo.bayes``."""
