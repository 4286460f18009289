"""Tables in which scores are missing: pairs on the problems both have, and what holds whatever the others are."""
