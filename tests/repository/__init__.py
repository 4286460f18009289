"""The rules of CONTRIBUTING.md."""
