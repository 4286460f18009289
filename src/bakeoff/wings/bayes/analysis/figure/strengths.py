"""P(first) of each algorithm with its interval, beside the share of first places that was seen, and P(strongest)."""

from bakeoff.errors import counted, plain
from bakeoff.figures.geometry.metrics import short_labels, text_width
from bakeoff.figures.geometry.plot_frame import draw_x_axis, finished_plot, plot_frame
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Drawing,
    Item,
    Mark,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.figures.geometry.rows import draw_bands
from bakeoff.numerals import decimals, percent
from bakeoff.wings.bayes import PlackettLucePosterior
from bakeoff.wings.bayes.dirichlet.weights import unit_drawn
from bakeoff.wings.bayes.statements.wording import chance

_PITCH = 11.0
_LONGEST = 0.3  # of the width: names


def draw_strengths(result: PlackettLucePosterior, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.bayes.plackett_luce``, the most probably first one on top."""
    width = width_of(width_mm, MEDIUM_MM)
    order = result.ranked
    names, key = short_labels([result.algorithms[i] for i in order], _LONGEST * width, SMALL)
    left = MARGIN + max(text_width(name, SMALL) for name in names) + 8
    columns = [
        ("P(first)", [chance(float(result.p_first[i]), exact=False) for i in order]),
        ("P(strongest)", [chance(float(result.p_best[i]), exact=False) for i in order]),
    ]
    right = width - MARGIN
    ends: list[float] = []
    for title, cells in reversed(columns):
        ends.insert(0, right)
        right -= max(text_width(text, SMALL) for text in (title, *cells)) + 6
    most = max(float(result.p_first_intervals.max()), float(result.first_places.max()))
    frame = plot_frame((-0.03 * most, 1.04 * most), (0.0, 1.0), width, _PITCH * (len(order) + 0.5), left, right)
    unit = unit_drawn(result)
    titles = (f"probability of being first on the next {unit}", "probability of being first", "P(first)")
    title = next((text for text in titles if text_width(text, LABEL) <= right - left), titles[-1])
    items: list[Item] = [*draw_bands(len(order), frame.top, _PITCH, width - MARGIN), *draw_x_axis(frame, title)]
    for end, (head, _) in zip(ends, columns, strict=True):
        items.append(Text(x=end, y=frame.top - 4, text=head, anchor="end", colour="grey", role="column"))
    for place, (i, name) in enumerate(zip(order, names, strict=True)):
        y = frame.top + _PITCH * (place + 0.5)
        p, seen = float(result.p_first[i]), float(result.first_places[i])
        low, high = (float(x) for x in result.p_first_intervals[i])
        about = (result.algorithms[i],)
        hint = (
            f"{plain(result.algorithms[i])}: P(first) {decimals(p, 3)}, {decimals(low, 3)} to {decimals(high, 3)}; was "
            f"first with a share of {decimals(seen, 3)}; P(strongest) {columns[1][1][place]}"
        )
        items += [
            Text(x=left - 6, y=y + 2.3, text=name, anchor="end", role="name", about=about, hint=about[0]),
            Stroke(x1=frame.x(low), y1=y, x2=frame.x(high), y2=y, colour="tint3", width=1.6, role="interval",
                   about=about, hint=hint),
            Mark(x=frame.x(p), y=y, radius=1.9, colour="accent", role="estimate", about=about, hint=hint),
            Mark(x=frame.x(seen), y=y, radius=2.0, shape="cross", role="seen", about=about, hint=hint),
        ]  # fmt: skip
        items += [
            Text(x=end, y=y + 2.3, text=cells[place], anchor="end", role="value", about=about)
            for end, (_, cells) in zip(ends, columns, strict=True)
        ]
    caption = (
        f"Dots: probability of being first on the next {unit}, in the Plackett–Luce model of "
        f"{counted(result.n_rankings, 'ranking')}; bars: {percent(1 - result.gamma)} intervals of the share of "
        f"{unit}s on which it is first, if the model holds; crosses: the observed share. P(strongest): the "
        f"probability that its strength is the largest.{key}"
    )
    numbers = "; ".join(f"{plain(result.algorithms[i])} {decimals(float(result.p_first[i]), 3)}" for i in order[:20])
    return finished_plot(
        frame, items, caption, width, form="strengths", title="First, and strongest", spoken=f"{numbers}."
    )
