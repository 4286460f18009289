"""
Where is it better? The table of + and −
========================================

Twenty independent runs of two optimisers on twelve functions. Beside the verdict over all functions: on which of them
was a difference shown?
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(3)
lead = np.linspace(-0.8, 2.0, 12)[:, None]
new, old = rng.normal(0, 1, (12, 20)), rng.normal(0, 1, (12, 20)) + lead
functions = [f"f{i + 1}" for i in range(12)]
scores = bo.Scores(np.stack([new, old], axis=1), ["new", "old"], functions, better="lower")
found = bo.per_problem(scores)
print(found.counts)


fills = {"+": "#1f5a85", "-": "#b5651d", "=": "#e8e8e8", "?": "#ffffff"}


class Table:
    """The verdicts of a per-problem table, a square per function."""

    def _repr_svg_(self) -> str:
        parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="440" height="84" viewBox="0 0 440 84"']
        parts.append(' font-family="Helvetica, Arial, sans-serif" font-size="11" text-anchor="middle">')
        parts.append('<rect width="440" height="84" fill="white"/>')
        for i, cell in enumerate(found.cells):
            x, ink = 12 + 35 * i, "white" if cell.verdict in "+-" else "#222"
            sign = {"=": "≈", "-": "−"}.get(cell.verdict, cell.verdict)
            parts.append(f'<rect x="{x}" y="24" width="32" height="32" fill="{fills[cell.verdict]}"/>')
            parts.append(f'<text x="{x + 16}" y="45" font-size="15" fill="{ink}">{sign}</text>')
            parts.append(f'<text x="{x + 16}" y="17">{cell.problem}</text>')
            parts.append(f'<text x="{x + 16}" y="72" fill="#555">{cell.a12:.2f}</text>')
        return "".join([*parts, "</svg>"])


Table()

# %%
# "+" is better for *new*; below each square the probability that a run of *new* beats one of *old*. The error is
# controlled over the twelve functions (Holm); the counts say nothing about other functions. That is what the
# verdict is for:

print(bo.compare(scores).verdict)
