import functools
import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import friedmanchisquare, rankdata

report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
x = np.array(report["scores"]["values"], dtype=float) * (1 if report["better"] == "lower" else -1)  # lower is better
names, (n, k) = report["scores"]["algorithms"], x.shape
chi2 = friedmanchisquare(*x.T).statistic
found = {"mean_ranks": rankdata(x, axis=1).mean(axis=0), "F": (n - 1) * chi2 / (n * (k - 1) - chi2)}
for pair in report["pairs"]:  # Wilcoxon's test and the Hodges–Lehmann estimate
    d = x[:, names.index(pair["b"])] - x[:, names.index(pair["a"])]
    twice = (2 * rankdata(abs(d))).astype(int)
    law = functools.reduce(lambda law, w: np.convolve(law, [0.5] + [0] * (w - 1) + [0.5]), twice, [1.0])
    w = min(twice[d > 0].sum(), twice[d < 0].sum())
    found[pair["a"], pair["b"]] = min(1, 2 * law[: w + 1].sum()), np.median((d + d[:, None])[np.triu_indices(n)] / 2)
