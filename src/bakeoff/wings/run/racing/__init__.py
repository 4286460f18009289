"""Sequential evidence: rules that may look again after each problem. No loop, no randomness, no store."""
