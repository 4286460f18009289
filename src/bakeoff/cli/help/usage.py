"""Usage errors that end with what would work: options by other names, names without quotes, several files."""

from __future__ import annotations

import os
import re
import shlex

import click

# options of other programs -> what it is called here
_INSTEAD = {
    **dict.fromkeys(("--higher", "--max", "--maximize", "--maximise", "--higher-is-better"), "--better higher"),
    **dict.fromkeys(("--lower", "--min", "--minimize", "--minimise", "--lower-is-better"), "--better lower"),
    **dict.fromkeys(("--baseline", "--reference", "--ref", "--against"), "--control NAME"),
    **dict.fromkeys(("--test", "--method"), "--pairwise NAME"),
    **dict.fromkeys(("--correction", "--correct", "--adjust", "--post-hoc"), "--posthoc NAME"),
    **dict.fromkeys(("--output", "--out", "-o", "--save", "--html"), "--report report.html"),
    **dict.fromkeys(("--pdf", "--plot", "--figure", "--diagram"), "--report diagram.pdf"),
    **dict.fromkeys(("--latex", "--tex"), "--report report.tex"),
    **dict.fromkeys(("--significance", "--level", "--significance-level"), "--alpha X"),
    **dict.fromkeys(("--exclude", "--ignore", "--skip", "--remove"), "--drop NAME"),
    **dict.fromkeys(("--include", "--select", "--algorithms"), "--only NAME"),
    **dict.fromkeys(("--na", "--nan"), "--missing drop"),
    **dict.fromkeys(("--jobs", "--threads", "-j", "-n"), "--workers N"),
    "--width": "--look width=N",
    "--highlight": "--look highlight=NAME",
    "--width-mm": "--look width-mm=N",
    "--no-caption": "--look caption=no",
    "--no-script": "--look script=no",
    **dict.fromkeys(("--force", "--overwrite", "--restart", "--reset"), "--fresh"),
}
_GONE = {
    "--call": "reports call algorithms and problems as the heads of the table do (model, solver, dataset, question …)"
}
_OF_BAYES = ("--rope", "--prior", "--gamma")
_NOT_A_NUMBER = re.compile(r"'(.*)' is not a valid (float|integer)")


def explained(error: click.UsageError) -> str:
    """The message, with the command or option that would work where it can be told."""
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error)
    if isinstance(error, click.BadParameter) and error.param is not None:
        match = _NOT_A_NUMBER.search(error.message)
        if match:
            kind = "a whole number" if match[2] == "integer" else "a number"
            name = error.param.opts[0]
            parts = match[1].split(",")
            if isinstance(error.param, click.Option) and error.param.multiple and len(parts) > 1:
                each = " ".join(f"{name} {part.strip()}" for part in parts)
                return f"{name} must be {kind}, once for each; got {match[1]!r}: say {each}"
            return f"{name} must be {kind}; got {match[1]!r}{_meant(match[1])}"
    if error.message.startswith("Got unexpected extra argument"):
        return _extra(error) or error.format_message()
    return error.format_message()


def _no_such_option(error: click.NoSuchOption) -> str:
    name = error.option_name
    known = {option for param in error.ctx.command.params for option in param.opts} if error.ctx else set()
    instead = _INSTEAD.get(name, "")
    if instead.split(" ")[0] in known:
        return f"there is no option {name}: say {instead}"
    if name in _GONE:
        return f"there is no option {name}: {_GONE[name]}"
    if name in _OF_BAYES and error.ctx is not None and error.ctx.info_name == "compare":
        return f"there is no option {name}: it belongs to bakeoff bayes"
    return error.format_message()


def _meant(text: str) -> str:
    """``: 5 % is 0.05``; ``: did you mean 0.05?``."""
    percent = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", text)
    if percent:
        return f": {percent[1]} % is {float(percent[1]) / 100:g}"
    return f": did you mean {text.replace(',', '.')}?" if re.fullmatch(r"\d*,\d+", text) else ""


def _extra(error: click.UsageError) -> str:
    """Of a second file, or of a name with spaces that stands without quotes."""
    command = error.ctx.obj.get("command", "") if error.ctx is not None and isinstance(error.ctx.obj, dict) else ""
    args = shlex.split(command)
    extra = re.findall(r"\((.*)\)", error.message)[-1:]
    for i, word in enumerate(args):
        if not extra or word != extra[0].split(" ")[0] or i < 2:
            continue
        if not args[i - 1].startswith("-") and args[i - 2].startswith("--"):
            whole = shlex.quote(f"{args[i - 1]} {extra[0]}")
            return f"a name with spaces needs quotes: {args[i - 2]} {whole}"
        if os.path.exists(word):
            return (
                f"one table at a time: {word!r} is a second file. Put all algorithms into one table, a column each, or "
                "a row per score with the columns problem, algorithm, score"
            )
    return ""
