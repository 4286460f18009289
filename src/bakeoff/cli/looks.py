"""Options on how reports look: they change no result."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.folding import output_option
from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from bakeoff.report.appearance import Appearance

FORM = "must be KEY=VALUE or a TOML file of such lines"


def appearance(ctx: click.Context) -> Appearance:
    from bakeoff.report.appearance import APPEARANCE

    look: Appearance = ctx.meta.get("bakeoff.look", APPEARANCE)
    return look


def look_of(title: str | None, words: Iterable[str] = ()) -> Appearance:
    """The appearance that a printed command asks for; the words of its ``--look`` name no file."""
    from bakeoff.report.appearance import Appearance

    return Appearance.of(title, dict(map(_setting, words)))


def _setting(word: str) -> tuple[str, str]:
    key, sign, value = word.partition("=")
    if not sign:
        raise ParameterError(f"{FORM}; got {word!r}", parameter="look")
    return key, value


def _keep_title(ctx: click.Context, _: click.Parameter, title: str | None) -> None:
    ctx.meta["bakeoff.title"] = title


def _keep_look(ctx: click.Context, _: click.Parameter, words: tuple[str, ...]) -> None:
    if ctx.resilient_parsing or not (words or ctx.meta.get("bakeoff.title")):  # a shell asks what could follow
        return
    from bakeoff.report.appearance import Appearance

    settings: dict[str, Any] = {}
    try:
        for word in words:
            if "=" in word:
                settings |= [_setting(word)]
                continue
            read = _settings_in(word)
            settings |= read
            if isinstance(ctx.obj, dict):
                ctx.obj["command"] = _spelled_out(ctx.obj["command"], word, read)
        ctx.meta["bakeoff.look"] = Appearance.of(ctx.meta.get("bakeoff.title"), settings)
    except ParameterError as error:
        raise click.UsageError(f"--look {error.rule}", ctx) from None


def _settings_in(path: str) -> Mapping[str, Any]:
    import tomllib

    from bakeoff.report.appearance import Appearance

    if not os.path.isfile(path):
        raise ParameterError(f"{FORM}; there is no file {path!r}", parameter="look")
    try:
        with open(path, "rb") as file:
            settings = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ParameterError(f"file {path!r} is no TOML: {error}", parameter="look") from None
    try:
        Appearance.of(None, settings)
    except ParameterError as error:
        raise ParameterError(f"file {path!r}: {error.rule}", parameter="look") from None
    return settings


def _spelled_out(command: str, path: str, settings: Mapping[str, Any]) -> str:
    """The command with what the file says in place of its path, so that a report can be verified without the file."""
    from bakeoff.report.appearance import Appearance

    spelled = [part for word in Appearance.of(None, settings).words for part in ("--look", word)]
    words = shlex.split(command)
    for i in range(len(words) - 1, 0, -1):
        if words[i] == f"--look={path}":
            words[i : i + 1] = spelled
        elif words[i - 1 : i + 1] == ["--look", path]:
            words[i - 1 : i + 1] = spelled
    return shlex.join(words)


LOOKS = (
    output_option(
        "--title", metavar="TEXT", is_eager=True, expose_value=False, callback=_keep_title, help="Title of the reports."
    ),
    output_option(
        "--look",
        metavar="FILE|KEY=VALUE",
        multiple=True,
        expose_value=False,
        callback=_keep_look,
        help="How results look. highlight=NAME: emphasise an algorithm in figures and tables. width=N: of what is "
        "printed, in characters (default: the terminal's, or COLUMNS; 80 in a pipe). width-mm=N: of figures (default: "
        "as the names need). caption=no: none inside figures. script=no: HTML without the script that checks numbers "
        "and tries other choices. Or a TOML file of these keys. Repeatable.",
    ),
)
"""Choices about looks for whoever asks for a report."""
