"""The table of + and − per problem."""
