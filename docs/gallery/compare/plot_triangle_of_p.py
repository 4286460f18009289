"""
The triangle of p-values
========================

Every pair of nine algorithms, as a table for an appendix: the adjusted p-values below the diagonal.
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
result = bo.compare(scores)
names = [name for _, name in sorted(zip(result.mean_ranks, scores.algorithms, strict=True))]


class Triangle:
    """A cell per pair; the darker, the smaller p."""

    def _repr_svg_(self) -> str:
        cells = []
        for row, a in enumerate(names):
            cells.append(f'<text x="94" y="{38 + 22 * row}" text-anchor="end">{a} {row + 1}</text>')
            cells.append(f'<text x="{116 + 40 * row}" y="16" text-anchor="middle">{row + 1}</text>')
            for column, b in enumerate(names[:row]):
                p = result.pair(a, b).adjusted[result.posthoc[0]]
                fill, ink = (
                    ("#1f5a85", "white") if p <= 0.01 else ("#9cc3de", "black") if p <= 0.05 else ("#f2f2f2", "#444")
                )
                x, y = 97 + 40 * column, 23 + 22 * row
                cells.append(f'<rect x="{x}" y="{y}" width="39" height="21" fill="{fill}"/>')
                cells.append(f'<text x="{x + 19}" y="{y + 15}" text-anchor="middle" fill="{ink}">{p:.3f}</text>')
        body = "\n".join(cells)
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="470" height="230" viewBox="0 0 470 230" '
            'font-family="Helvetica, Arial, sans-serif" font-size="11">'
            f'<rect width="470" height="230" fill="white"/>{body}</svg>'
        )


Triangle()

# %%
# Dark: adjusted p at most .01, light: at most .05, by Bergmann and Hommel's procedure. Algorithms are in the order
# of their mean ranks. ``result.save("pairs.csv")`` has the same numbers, ``result.save("paper.tex")`` the table for
# LaTeX.

print(*(f"{pair.a}–{pair.b}: {pair.adjusted[result.posthoc[0]]:.4f}" for pair in result.pairs[:4]), sep="\n")
