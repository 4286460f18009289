"""The mean over independent units, which may be clusters of unequal size: the one engine of every analysis of means.

``strata`` says what is independent, ``moments`` has errors by the cluster jackknife and effective numbers of clusters,
``unit_mean`` one mean with its p-values and interval, ``pair_moments`` and ``max_t`` a family of pairs at once,
``sign_flips`` the distribution of a sum whose signs are flipped.
"""
