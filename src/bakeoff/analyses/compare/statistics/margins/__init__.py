"""Equal, or not worse, up to a margin: two one-sided tests, of one pair and of a family of pairs."""
