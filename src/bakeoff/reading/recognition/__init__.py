"""Which columns of a table hold what, where names alone do not say it."""
