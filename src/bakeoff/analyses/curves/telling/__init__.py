"""Reports of whole curves."""
