"""Write the script that a report carries, and the page that checks reports, from src/bakeoff/wings/page/script.

python docs/generate/explore.py           writes the files
python docs/generate/explore.py --check   exits 1 if they are not current

The modules are put one after the other in the order of their imports. Comments and blanks go, and variables get short
names; properties keep theirs, and where one name stands for both (``{ name }``) both are written. Functions of the
program become arrows, and what is written often, properties and texts, is written once and named. Sentences of
src/bakeoff/report/sentences.json take the place of the calls that fill them.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import string
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import page_command

from bakeoff.cli.commands.lookup import schemas
from bakeoff.report.sentences import templates

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "bakeoff" / "wings" / "page" / "script"
BUILT = ROOT / "src" / "bakeoff" / "report" / "script"
PAGE = ROOT / "docs" / "trust" / "checker.md"
BEGIN, END = "<!-- versions -->\n", "<!-- end -->\n"
MOST = 40_200  # bytes of a script in a report

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(\.[\w./]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?=const|function|class|let)", re.M)
_TOP = re.compile(r"^(?:export )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<number>\d[\w.]*(?:(?<=e)[-+]?\d+)?)
    |(?P<sign>=>|\?\?=|\|\|=|&&=|\*\*|\?\?|\?\.(?!\d)|\.\.\.|>>>|<<|>>|[-+*/%|&^]=|===|!==|[<>=!]=|&&|\|\||\+\+|--|.)""",
    re.X | re.S,
)
_BEFORE_REGEX = {"(", ",", "=", ":", "[", "!", "&&", "||", "?", "{", "}", ";", "=>", "return", ""}
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")


def _words(text: str) -> list[str]:
    return text.split()


_KEYWORDS = frozenset(
    _words(
        "async await break case catch class const continue default delete do else export extends false finally for "
        "function if import in instanceof let new null of return static super switch this throw true try typeof "
        "undefined void while yield Infinity NaN constructor get set"
    )
)
Token = tuple[str, str]  # kind, text


def tokens(source: str) -> Iterator[Token]:
    """Of JavaScript, without blanks; a template literal comes in pieces, the code inside of it as code."""
    place, last, depth = 0, "", list[int]()
    while place < len(source):
        if source[place] == "`" or (source[place] == "}" and depth and depth[-1] == 0):
            if source[place] == "}":
                depth.pop()
            end = place + 1
            while source[end] != "`" and source[end : end + 2] != "${":
                end += 2 if source[end] == "\\" else 1
            if source[end] == "$":
                end += 1
                depth.append(0)
            yield "template", source[place : end + 1]
            place, last = end + 1, "(" if source[end] == "{" else "`"
            continue
        regex = _REGEX.match(source, place) if last in _BEFORE_REGEX else None
        if regex is not None and source[place : place + 2] not in ("//", "/*"):
            yield "text", regex[0]
            place, last = regex.end(), regex[0]
            continue
        found = _TOKEN.match(source, place)
        assert found is not None
        assert found.lastgroup is not None
        place = found.end()
        if found.lastgroup == "blank":
            continue
        if depth and found[0] in "{}":
            depth[-1] += 1 if found[0] == "{" else -1
        last = found[0]
        yield found.lastgroup, found[0]


def bundle(entry: str) -> str:
    """A module with those that it imports, each once, before those that import it."""
    order: list[Path] = []

    def visit(path: Path) -> None:
        for other in _IMPORT.findall(path.read_text(encoding="utf-8")):
            target = (path.parent / other).resolve()
            if target not in order and target.name != "fill.js":
                visit(target)
        order.append(path)

    visit((FOLDER / entry).resolve())
    texts = [path.read_text(encoding="utf-8") for path in order]
    names = Counter(name for text in texts for name in _TOP.findall(text))
    assert max(names.values()) == 1, f"two modules have one name: {names.most_common(3)}"
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


def minified(source: str) -> str:
    """The same program in fewer bytes."""
    found = _bare(_without_ifs(_inlined(_filled(list(tokens(source))))))
    found = _named_once(list(_spelled(_as_arrows(found))))
    roles = _roles(found)
    short = _short_names(found, roles)
    written = ""
    declares = [False]  # of each open bracket: did the last statement declare variables?
    for i, ((kind, text), role) in enumerate(zip(found, roles, strict=True)):
        shown = short[i] if role in ("variable", "shorthand") else _OWN.get(text, text) if role == "property" else text
        if role == "shorthand" and shown != _OWN.get(text, text):
            shown = f"{_OWN.get(text, text)}:{shown}"
        if (shown == "}" and written[-1:] in (",", ";")) or (shown in (")", "]") and written[-1:] == ","):
            written = written[:-1]
        if shown == "=>":
            written = re.sub(r"(?<![\w$])\(([\w$]+)\)$", r"\1", written)
        if kind == "name" and text == "let" and declares[-1] and written.endswith(";"):
            written, shown = written[:-1], ","  # one declaration more
        elif i and kind == "name" and found[i - 1][1] in (";", "{", "}"):
            declares[-1] = text == "let"
        if kind == "sign" and text in "([{":
            declares.append(False)
        elif kind == "sign" and text in ")]}":
            declares.pop()
        glued = written[-1:] + shown[:1]
        apart = re.fullmatch(r"[\w$]{2}", glued) or glued in ("++", "--")
        written += f" {shown}" if apart else shown
    return written


def joined(source: str) -> str:
    """The same program without comments and blanks, its sentences filled in; names stay."""
    written = ""
    for _, text in _filled(list(tokens(source))):
        glued = written[-1:] + text[:1]
        apart = re.fullmatch(r"[\w$]{2}", glued) or glued in ("++", "--")
        written += f" {text}" if apart else text
    return written


def _opens(token: Token) -> bool:
    kind, text = token
    return (kind == "sign" and text in "([{") or (kind == "template" and text.endswith("${"))


def _closes(token: Token) -> bool:
    kind, text = token
    return (kind == "sign" and text in ")]}") or (kind == "template" and text.startswith("}"))


def _end(found: list[Token], start: int) -> int:
    """The place of the bracket that closes the one at ``start``."""
    depth = 0
    for i in range(start, len(found)):
        depth += _opens(found[i]) - _closes(found[i])
        if depth == 0:
            return i
    raise AssertionError("a bracket is open")


def _stop(found: list[Token], start: int) -> int:
    """Where the expression that begins there ends: at a semicolon, or at the bracket that closes its block."""
    depth = 0
    for i in range(start, len(found)):
        if depth == 0 and found[i] in (("sign", ";"), ("sign", "}")):
            return i
        depth += _opens(found[i]) - _closes(found[i])
    raise AssertionError("a statement does not end")


def _filled(found: list[Token]) -> list[Token]:
    """``fill("best", { name, rank: f(x) })`` as the template literal ```${name} has the best ${f(x)}```."""
    written, i = list[Token](), 0
    while i < len(found):
        if found[i] == ("name", "fill") and found[i - 1][1] != ".":  # not that of an array
            closed = _end(found, i + 1)
            written += _literal(_sentence(found[i + 2 : closed]))
            i = closed + 1
        else:
            written.append(found[i])
            i += 1
    return written


_Part = str | list[Token]  # of a sentence: words, or the code whose value stands there


def _sentence(call: list[Token]) -> list[_Part]:
    """The template that a call names, with the code of its values; sentences inside of it become parts of it."""
    name, values = call[0][1].strip('"'), dict[str, list[Token]]()
    start = 3  # behind the name, a comma and a bracket
    while start < len(call) - 1:
        stop, depth = start, 0
        while stop < len(call) - 1 and (depth or call[stop] != ("sign", ",")):
            depth += _opens(call[stop]) - _closes(call[stop])
            stop += 1
        key = call[start][1]
        assert key not in values, f"{name}: {key} is given twice"
        values[key] = call[start + 2 : stop] or call[start:stop]
        start = stop + 1
    parts = list[_Part]()
    words = re.split(r"\{(\w+)\}", templates()[name])
    assert sorted(words[1::2]) == sorted(values), f"{name} takes {words[1::2]}, not {list(values)}"
    for i, text in enumerate(words):
        if i % 2 == 0:
            parts.append(text)
            continue
        code = values[text]
        if code[0] == ("name", "fill") and _end(code, 1) == len(code) - 1:
            parts += _sentence(code[2:-1])
        elif code in ([("text", '""')], []):
            continue
        else:
            parts.append(_filled(code))
    return parts


def _literal(parts: list[_Part]) -> list[Token]:
    """Words and code as a template literal, or as a text where there is no code."""
    written: list[Token] = [("template", "`")]
    for part in parts:
        kind, text = written[-1]
        if isinstance(part, str):
            assert not set(part) & set("`\\$"), part
            written[-1] = (kind, text + part)
        else:
            written[-1] = (kind, text + "${")
            written += [*part, ("template", "}")]
    if len(written) == 1:
        return [("text", f'"{written[0][1][1:]}"')]
    written[-1] = ("template", written[-1][1] + "`")
    return written


def _inlined(found: list[Token]) -> list[Token]:
    """Constants of the program that are one number or text and stand in one or two places, there."""
    uses = Counter(text for kind, text in found if kind == "name")
    values, kept, i = dict[str, Token](), list[Token](), 0
    while i < len(found):
        name = found[i + 1][1] if i + 4 < len(found) else ""
        alone = found[i][1] == "const" and found[i + 2 : i + 3] == [("sign", "=")] and found[i + 4][1] == ";"
        if alone and name.isupper() and found[i + 3][0] in ("number", "text") and uses[name] <= 3:
            values[name] = found[i + 3]
            i += 5
            continue
        kept.append(found[i])
        i += 1
    return [values.get(text, (kind, text)) if kind == "name" else (kind, text) for kind, text in kept]


def _without_ifs(found: list[Token]) -> list[Token]:
    """``if (a) return b; return c;`` as ``return a ? b : c;``, and ``=> { return a; }`` as ``=> a``."""
    for i in reversed(range(1, len(found) - 4)):
        if found[i][1] == "if" and found[i - 1][1] in ("{", "}", ";") and found[i + 1][1] == "(":
            closed = _end(found, i + 1)
            if found[closed + 1][1] != "return":
                continue
            first = _stop(found, closed + 2)
            if found[first][1] != ";" or found[first + 1][1] != "return":
                continue
            last = _stop(found, first + 2)
            condition, one, other = found[i + 2 : closed], found[closed + 2 : first], found[first + 2 : last]
            if one and other and not any(text in ("=>", "=", ",") for _, text in _outer(condition)):
                joined = [("name", "return"), *condition, ("sign", "?"), *one, ("sign", ":"), *other]
                found[i:last] = joined
        elif found[i][1] == "=>" and found[i + 1][1] == "{" and found[i + 2][1] == "return":
            closed = _end(found, i + 1)
            last = _stop(found, i + 3)
            if last + (found[last][1] == ";") == closed and last > i + 3:
                body = found[i + 3 : last]
                if any(text == "{" for _, text in body):
                    body = [("sign", "("), *body, ("sign", ")")]
                found[i + 1 : closed + 1] = body
    return found


_BINDS = {
    sign: level
    for level, signs in enumerate(
        ["?", "||", "&&", "^", "&", "=== !== == !=", "< > <= >= in instanceof", "<< >> >>>", "+ -", "* / %"], 1
    )
    for sign in signs.split()
}
"""How tightly operators bind what stands beside them; those that are missing keep their brackets."""
_JOINS = frozenset(["(", ")", "[", "]", ".", "?.", ":"])
_WORDS = frozenset(["yield", "await", "in", "instanceof"])
_BEFORE = frozenset(["(", "[", ",", "=", "?", ":", "=>", "return"])


def _bare(found: list[Token]) -> list[Token]:
    """Without the brackets that change nothing, as in ``(a * b) / c`` or ``=> (a ? b : c)``."""
    dropped = set[int]()
    for i in range(1, len(found)):
        if found[i] != ("sign", "("):
            continue
        end = _end(found, i)
        before, after = found[i - 1], found[end + 1]
        left = 0 if before[1] in _BEFORE or before[1].endswith("${") else _BINDS.get(before[1])
        right = 0 if after[1][0] in ")],;:}" else _BINDS.get(after[1])
        inner = _outer(found[i + 1 : end])
        signs = [text for kind, text in inner if (kind == "sign" and text not in _JOINS) or text in _WORDS]
        if left is None or right is None or inner[0][0] == "sign" or any(text not in _BINDS for text in signs):
            continue
        least = min((_BINDS[text] for text in signs), default=99)
        unary = before[1] in "+-" and found[i - 2][0] == "sign" and found[i - 2][1] not in ")]"
        if not unary and least > left and least >= right + (right == 1):
            dropped |= {i, end}
    return [token for i, token in enumerate(found) if i not in dropped]


def _outer(found: list[Token]) -> list[Token]:
    """Those outside of brackets."""
    depth, kept = 0, list[Token]()
    for kind, text in found:
        depth -= kind == "sign" and text in ")]}"
        if depth == 0:
            kept.append((kind, text))
        depth += kind == "sign" and text in "([{"
    return kept


def _as_arrows(found: list[Token]) -> list[Token]:
    """``function f(x) { return y; }`` of the whole program as ``const f = (x) => (y);``, longer ones with their block.

    Generators, which are no arrows, are methods of one object: ``const { 0: f } = { *0(x) { … } };``.
    """
    written, i, depth = list[Token](), 0, 0
    names, methods = list[Token](), list[Token]()
    while i < len(found):
        text = found[i][1]
        if depth == 0 and text == "function" and found[i + 1][1] == "*" and found[i + 2][0] == "name":
            closed = _end(found, _end(found, i + 3) + 1)
            number = ("number", str(len(names) // 4))
            names += [number, ("sign", ":"), found[i + 2], ("sign", ",")]
            methods += [("sign", "*"), number, *found[i + 3 : closed + 1], ("sign", ",")]
            i = closed + 1
            continue
        if depth == 0 and text == "function" and found[i + 1][0] == "name" and found[i + 2][1] == "(":
            opened = _end(found, i + 2) + 1
            closed = _end(found, opened)
            body = found[opened + 1 : closed]
            head = [("name", "const"), found[i + 1], ("sign", "="), *found[i + 2 : opened], ("sign", "=>")]
            alone = body[0][1] == "return" and sum(text == ";" for _, text in body) == 1
            if alone:
                body = body[1:-1]
                if any(text == "{" for _, text in body):
                    body = [("sign", "("), *body, ("sign", ")")]
            written += [*head, *(body if alone else [("sign", "{"), *body, ("sign", "}")]), ("sign", ";")]
            i = closed + 1
            continue
        depth += _opens(found[i]) - _closes(found[i])
        written.append(found[i])
        i += 1
    left: Token = ("sign", "{")
    right: Token = ("sign", "}")
    return [("name", "const"), left, *names, right, ("sign", "="), left, *methods, right, ("sign", ";"), *written]


def _named_once(found: list[Token]) -> list[Token]:
    """Properties and texts that are written often: ``a.length`` as ``a[S_length]``."""
    roles = _roles(found)
    places: dict[str, list[int]] = {}
    for i, ((kind, text), role) in enumerate(zip(found, roles, strict=True)):
        if role == "property" and found[i - 1][1] in (".", "?."):
            places.setdefault(f'"{_OWN.get(text, text)}"', []).append(i)
        elif kind == "text" and re.fullmatch(r'"[^"\\]+"', text):
            is_key = found[i + 1][1] == ":" and found[i - 1][1] in ("{", ",")
            if not is_key:
                places.setdefault(text, []).append(i)

    def saved(text: str) -> int:
        each = 3 if len(places[text]) > 40 else 4  # one letter, or two
        now = sum(len(text) - 1 if found[i][0] == "name" else len(text) for i in places[text])
        then = sum(each if found[i][0] == "name" else 2 for i in places[text])
        return now - then - len(text) - 4

    names = {text: f"S_{n}" for n, text in enumerate(places) if saved(text) > 0}
    instead = {i: ("name", name) for text, name in names.items() for i in places[text]}
    written = [("name", "let")]
    for text, name in names.items():
        written += [("name", name), ("sign", "="), ("text", text), ("sign", ",")]
    written[-1] = ("sign", ";")
    for i, token in enumerate(found):
        if i not in instead:
            written.append(token)
        elif token[0] == "text":
            written.append(instead[i])
        else:
            if written[-1][1] == ".":
                written.pop()
            written += [("sign", "["), instead[i], ("sign", "]")]
    return written


_SPELLED = {"const": "let", "true": "!0", "false": "!1"}
_VALUES = {"Infinity": "1/0", "undefined": "void 0", "null": "null"} | {
    name: name for name in ("isFinite", "isNaN", "Object", "Array", "Float64Array", "document", "Boolean")
}
"""What is written often, and is a variable of the program instead."""
_OWN = dict(
    zip(
        _words(
            "names scales evidence measured averaged meanRanks costs wrong computed direction skipped ranks "
            "above under zeros sized family ends tested inverts points sizes ranked below medians methods "
            "reach compared differences times printed recomputed record expected place centre beyond dominated decides "
            "nouns half least cell one error total first said form check"
        ),
        (f"{first}{second}" for first in "ABCDEFGH" for second in "0123456789"),
        strict=False,
    )
)
"""Properties of this program's own objects, which neither a report nor a browser knows."""
_SCHEMAS = [schemas()[kind] for kind in ("compare", "evaluate", "per-problem")]
_REPORTS = "".join(path.read_text(encoding="utf-8") for path in _SCHEMAS)
assert not (mixed := [name for name in _OWN if f'"{name}": {{' in _REPORTS]), f"reports have these properties: {mixed}"


def _spelled(found: list[Token]) -> Iterator[Token]:
    """Words in shorter spelling; functions of Math as variables of their own."""
    used = {found[i + 2][1] for i, (_, text) in enumerate(found) if text == "Math"}
    yield from [("name", "let"), ("sign", "{")]
    for i, name in enumerate(sorted(used)):
        yield from ([("sign", ",")] if i else []) + [("name", name), ("sign", ":"), ("name", f"Math_{name}")]
    yield from [("sign", "}"), ("sign", "="), ("name", "Math"), ("sign", ";")]
    for name, value in _VALUES.items():
        yield from [("name", "let"), ("name", f"S_{name}"), ("sign", "="), ("number", value), ("sign", ";")]
    skip = 0
    for i, (kind, text) in enumerate(found):
        if skip:
            skip -= 1
        elif kind == "name" and text == "Math":
            skip = 2
            yield "name", f"Math_{found[i + 2][1]}"
        elif text == "undefined" and found[i - 1][1] == "return" and found[i + 1][1] == ";":
            continue
        elif text in _VALUES and kind == "name" and found[i - 1][1] not in (".", "instanceof"):
            yield "name", f"S_{text}"
        elif kind == "name" and text in _SPELLED and found[i - 1][1] != ".":
            yield "name" if text == "const" else "number", _SPELLED[text]
        elif text == "new" and found[i + 1][1] in ("Array", "Error"):
            continue
        elif text == "(" and found[i - 2][1] == "new" and found[i + 1][1] == ")" and found[i + 2][1] in ",;)]":
            skip = 1
        elif text in ("===", "!==") and (
            found[i + 1][0] == "text" or found[i + 1][1] == "null" or found[i - 1][1] == "length"
        ):
            yield "sign", text[:2]  # with a text that is no number, a length; null and undefined are not told apart
        else:
            yield kind, re.sub(r"^0\.", ".", text) if kind == "number" else text


_OPENS_OBJECT = frozenset(
    ["(", ",", "=", ":", "[", "?", "return", "yield", "...", "&&", "||", "??", "const", "let", "=>("]
)


def _roles(found: list[Token]) -> list[str]:
    """Of each name: "variable", "property", or "shorthand" where it is both; empty of all else."""
    roles, open_ = list[str](), list[str]()
    for i, (kind, text) in enumerate(found):
        before = found[i - 1][1] if i else ""
        after = found[i + 1][1] if i + 1 < len(found) else ""
        role = ""
        if kind == "name" and text not in _KEYWORDS:
            inside = open_[-1] if open_ else ""
            key = before in ("{", ",") and inside == "object"
            if before in (".", "?.") or (key and after in (":", "(")) or (inside == "class" and after == "("):
                role = "property"
            else:
                role = "shorthand" if key and after in (",", "}", "=") else "variable"
        if _closes(found[i]):
            open_.pop()
        if kind == "template" and text.endswith("${"):
            open_.append("${")
        elif kind == "sign" and text in "([":
            open_.append(text)
        elif kind == "sign" and text == "{":
            is_class = any(t == "class" for _, t in found[max(0, i - 4) : i])
            open_.append("class" if is_class else "object" if before in _OPENS_OBJECT else "block")
        roles.append(role)
    return roles


def _regions(found: list[Token], first: int, last: int) -> list[tuple[int, int]]:
    """Brackets, the narrow ones first; parameters, also of loops, make one with the body behind them."""
    regions, open_ = [(first, last)], list[int]()
    for i in range(first, last):
        if _closes(found[i]) and open_:
            start, after = open_.pop(), found[i + 1 : i + 2]
            arrow = after == [("sign", "=>")]
            if arrow or (found[i][1] == ")" and after == [("sign", "{")]):
                regions = [region for region in regions if region[0] < start]
                regions.append((start, _body_end(found, i + 1 + arrow)))
            else:
                regions.append((start, i))
        elif found[i][1] == "=>" and found[i - 1][0] == "name":
            regions.append((i - 1, _body_end(found, i + 1)))
        if _opens(found[i]):
            open_.append(i)
    return sorted(regions, key=lambda region: region[1] - region[0])


def _body_end(found: list[Token], start: int) -> int:
    """The last place of what an arrow gives: its block, or an expression up to a comma or the end around it."""
    if found[start][1] == "{":
        return _end(found, start)
    depth = 0
    for i in range(start, len(found)):
        depth -= _closes(found[i])
        if depth < 0 or (depth == 0 and found[i] in (("sign", ","), ("sign", ";"))):
            return i - 1
        depth += _opens(found[i])
    raise AssertionError("an arrow does not end")


def _lettered(places: dict[str, list[int]], regions: list[tuple[int, int]], letters: list[str]) -> dict[str, str]:
    """Names by letters: two share one if what holds all places of one, bracket or arrow, is apart from the other's."""
    spans = {
        name: next(region for region in regions if region[0] <= there[0] and there[-1] <= region[1])
        for name, there in places.items()
    }
    held = dict[str, list[tuple[int, int]]]()
    names = dict[str, str]()
    for name in sorted(places, key=lambda name: -len(places[name])):
        first, last = spans[name]
        letter = next(x for x in letters if all(last < a or b < first for a, b in held.get(x, [])))
        held.setdefault(letter, []).append((first, last))
        names[name] = letter
    return names


def _short_names(found: list[Token], roles: list[str]) -> list[str]:
    """Of each variable. Those of the whole program have names of their own; others are short for one statement."""
    depth, start, statements = 0, 0, list[tuple[int, int]]()
    shared = set[str]()
    for i, (_, text) in enumerate(found):
        before = found[i - 1][1] if found[i - 1][1] != "*" else found[i - 2][1]
        numbered = found[i - 2][0] == "number" and found[i - 1][1] == ":" and found[i - 3][1] in ("{", ",")
        if roles[i] == "variable" and (numbered or (depth == 0 and before in ("let", "function", "class", ","))):
            shared.add(text)
        depth += _opens(found[i]) - _closes(found[i])
        method = text == "," and found[i + 1][1] == "*" and found[i + 2][0] == "number"
        if method or (depth == 0 and text in (";", "}")):
            statements.append((start, i + 1))
            start = i + 1
    shared |= {text for (kind, text) in found if kind == "name" and text.startswith(("Math_", "S_"))}
    unknown = {
        text for (_, text), role in zip(found, roles, strict=True) if role == "variable" and text[0].isupper()
    } - {*_BROWSER, *shared}
    assert not unknown, f"neither declared nor known of browsers: {unknown}"
    letters = string.ascii_letters + "_$"
    counts = Counter(text for (_, text), role in zip(found, roles, strict=True) if role in ("variable", "shorthand"))
    free = (name for size in (1, 2) for name in map("".join, itertools.product(letters[::-1], repeat=size)))
    free = (name for name in free if name not in _KEYWORDS | _BROWSER)
    names = {name: next(free) for name, _ in counts.most_common() if name in shared}
    short = [text for _, text in found]
    for first, last in statements:
        places = dict[str, list[int]]()
        for i in range(first, last):
            if roles[i] in ("variable", "shorthand"):
                places.setdefault(found[i][1], []).append(i)
        taken = {names.get(name, name) for name in places if name in shared or name in _BROWSER}
        own = {name: there for name, there in places.items() if name not in shared | _BROWSER}
        singles = (name for size in (1, 2) for name in map("".join, itertools.product(letters, repeat=size)))
        known = names | _lettered(
            own, _regions(found, first, last), [x for x in singles if x not in _KEYWORDS | _BROWSER | taken]
        )
        for name, there in places.items():
            for i in there:
                short[i] = known.get(name, name)
    return short


_BROWSER = frozenset(
    _words(
        "Array BigInt Boolean DOMParser DataView Document Error Event Float64Array Int32Array JSON Map Math Number "
        "Object Promise RegExp Set String Symbol TextDecoder TextEncoder URLSearchParams Uint32Array Uint8Array "
        "WeakMap clearTimeout document globalThis history isFinite isNaN location navigator performance setTimeout "
        "window"
    )
)
"""Variables that are the browser's."""


def script(entry: str, most: int = MOST, shortened: Callable[[str], str] = minified) -> str:
    """What a page carries: strict, and alone with its names."""
    found = f'"use strict";{{{shortened(bundle(entry))}}}'
    assert not re.search("</|<!--", found), "ends or hides the element that holds it"
    assert len(found.encode()) <= most, f"{entry}: {len(found.encode())} bytes, more than {most}"
    return found + "\n"


def checker(scripts: list[str]) -> str:
    """The page by itself, which knows the scripts of reports by their hashes."""
    text = script("page/checker.js", 2 * MOST)  # every kind
    policy = b64encode(hashlib.sha256(text.encode()).digest()).decode()
    known = " ".join(hashlib.sha256(each.encode()).hexdigest() for each in scripts)
    style = (BUILT / "panel.css").read_text(encoding="utf-8")
    frame = (FOLDER / "page" / "checker.html").read_text(encoding="utf-8")
    parts = {"POLICY": policy, "REPORT": known, "VERSION": version(), "STYLE": style, "SCRIPT": text}
    for mark, value in parts.items():
        frame = frame.replace(f"@{mark}@", value)
    return frame


def version() -> str:
    source = (ROOT / "src" / "bakeoff" / "_version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"', source, re.MULTILINE)
    assert found is not None
    return found[1]


def known_versions(content: str, page: Path = PAGE, name: str = "checker.html") -> str:
    """A row for this version before those of earlier ones, which stay."""
    digest = hashlib.sha256(content.encode()).hexdigest()
    rows = page.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()[2:]
    earlier = [row for row in rows if not row.startswith(f"| {version()} |")]
    head = [f"| bakeoff | SHA-256 of {name} |", "|---|---|", f"| {version()} | `{digest}` |"]
    return "\n".join([*head, *earlier]) + "\n"


def files() -> dict[Path, str]:
    scripts = {name: script(f"page/{name}.js") for name in ("report", "others")}
    page = checker(list(scripts.values()))
    section = page_command.filled(PAGE, {"versions": known_versions(page)})
    return {BUILT / f"{name}.min.js": text for name, text in scripts.items()} | {
        FOLDER / "checker.html": page,
        BUILT / "checker.sha256": f"{hashlib.sha256(page.encode()).hexdigest()}\n",
        PAGE: section,
    }


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/explore.py", files))
