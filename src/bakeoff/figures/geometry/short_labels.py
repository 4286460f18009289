"""Names cut to the room they have, in one figure never two names to one label."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bakeoff.figures.geometry.metrics import ELLIPSIS, printable, shorten, text_width

_DASH = " – "


def short_labels(names: Sequence[str], limit: float, size: float, bold: bool = False) -> tuple[list[str], str]:
    """Labels of at most ``limit`` points, and what a caption adds to them: the key, where they are numbers.

    A name keeps its beginning and end. Where two would have one label, parts that all names share go; where that is
    not enough either, numbers stand for the names.

    Examples
    --------
    >>> short_labels(["net-of-resnets-lr0.1-cosine", "net-of-resnets-lr0.2-cosine"], 50, 7)
    (['…lr0.1…', '…lr0.2…'], '')
    >>> short_labels(["configuration1ofmine", "configuration2ofmine"], 30, 7)
    (['[1]', '[2]'], ' [1] configuration1ofmine, [2] configuration2ofmine.')
    """
    whole = [printable(name) for name in names]
    apart = len(set(whole))

    def cut(texts: Sequence[str]) -> list[str]:
        return [shorten(text, limit, size, bold) for text in texts]

    if len(set(shown := cut(whole))) == apart:
        return shown, ""
    for texts in (_differing(whole), _by_group(whole, shown)):
        if len(set(shown := cut(texts))) == apart:
            return shown, ""
    number = {text: f"[{i}]" for i, text in enumerate(dict.fromkeys(whole), start=1)}
    key = ", ".join(f"{short} {text}" for text, short in number.items())
    return [number[text] for text in whole], f" {key}."


def pair_labels(
    pairs: Sequence[tuple[str, str]], limit: float, size: float, bold: bool = False
) -> tuple[list[str], str]:
    """:func:`short_labels` of two names with a dash between them; each name is cut by itself.

    Examples
    --------
    >>> pair_labels([("org/model-with-a-name-7b", "x"), ("org/model-with-a-name-8b", "x")], 60, 7)[0]
    ['org…7b – x', 'org…8b – x']
    """
    joined = [_DASH.join(map(printable, pair)) for pair in pairs]
    if all(text_width(text, size, bold) <= limit for text in joined):
        return joined, ""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    shown, key = short_labels(names, (limit - text_width(_DASH, size, bold)) / 2, size, bold)
    short = dict(zip(names, shown, strict=True))
    return [f"{short[a]}{_DASH}{short[b]}" for a, b in pairs], key


def _differing(names: Sequence[str]) -> list[str]:
    """Without the parts, between separators, that are the same in all of them."""
    parts = [re.findall(r"[^-_/, ]+[-_/, ]*|[-_/, ]+", name) for name in names]
    least = min(map(len, parts))
    head = next((i for i in range(least) if len({each[i] for each in parts}) > 1), least)
    tail = next((i for i in range(least - head) if len({each[-1 - i] for each in parts}) > 1), least - head)
    in_step = len({len(each) for each in parts}) == 1

    def bare(each: list[str]) -> str:
        kept = [head <= i < len(each) - tail for i in range(len(each))]
        if in_step:
            kept = [k and len({other[i] for other in parts}) > 1 for i, k in enumerate(kept)]
        texts = [part if keep else ELLIPSIS for part, keep in zip(each, kept, strict=True)]
        return re.sub(rf"[-_/, ]*{ELLIPSIS}+", ELLIPSIS, "".join(texts))

    return [bare(each) for each in parts]


def _by_group(names: Sequence[str], cut: Sequence[str]) -> list[str]:
    """Of those with one label, the beginning and what differs among them."""
    groups: dict[str, list[str]] = {}
    for name, label in zip(names, cut, strict=True):
        groups.setdefault(label, []).append(name)
    several = {label: dict(zip(same, _differing(same), strict=True)) for label, same in groups.items() if len(same) > 1}
    texts = []
    for name, label in zip(names, cut, strict=True):
        bare = several.get(label, {}).get(name, name)
        texts.append(re.split(r"[-_/, ]", name, maxsplit=1)[0] + bare if bare.startswith(ELLIPSIS) else bare)
    return texts
