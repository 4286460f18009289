"""Tables with columns that stand for others: names of several, words beside numbers, what tells repeats apart."""
