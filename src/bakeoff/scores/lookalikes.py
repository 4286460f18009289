"""Names that look the same, though a computer takes them for two."""

import re
import unicodedata
from collections.abc import Iterable

from bakeoff.errors import ScoreError

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point of Unicode: soft hyphens, joiners, directions, selectors of variants."""
_DRAWN = (
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"  # of Cyrillic
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf"  # of Greek
    "\u00b5\u2010\u2011\u2012\u2013\u2212\u2018\u2019"
)
_AS = str.maketrans(_DRAWN, "ABEKMHOPCTYXSIJaeopcyxsijABEZHIKMNOPTYXo\u03bc-----''")
"""Letters that are drawn as those of Latin are, and signs that programs put in place of others."""
_ODD = re.compile(rf"[{_INVISIBLE}{_DRAWN}\ud800-\udfff]|[^\S\0-\x7f]")


def refuse_lookalikes(parameter: str, names: Iterable[str]) -> None:
    """Refuse two names of which nobody could say which is meant, and a name that no file can hold.

    >>> refuse_lookalikes("algorithms", ["A", "a", "B"])
    >>> refuse_lookalikes("algorithms", ["A", "A\\u200b"])
    Traceback (most recent call last):
    bakeoff.errors.ScoreError: algorithms must have names that look different; 'A' and 'A\\u200b' ...
    """
    names = tuple(names)
    together = "\0".join(names)
    if together.isascii() or (unicodedata.is_normalized("NFC", together) and not _ODD.search(together)):
        return
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name if name.isascii() else _as_seen(parameter, name), name)
        if other != name:
            rule = f"must have names that look different; {other!a} and {name!a} look the same: rename one of them"
            raise ScoreError(rule, parameter=parameter)


def _as_seen(parameter: str, name: str) -> str:
    if re.search("[\ud800-\udfff]", name):
        rule = f": the name {name!a} cannot be written in UTF-8, as it has half of a character; rename it"
        raise ScoreError(rule, parameter=parameter)
    return " ".join(unicodedata.normalize("NFC", re.sub(f"[{_INVISIBLE}]", "", name).translate(_AS)).split())
