"""Several files that are one table: joined, and unpacked from archives."""
