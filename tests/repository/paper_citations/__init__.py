"""Places of the five papers that sources and pages cite: found, listed, and looked up in the papers."""
