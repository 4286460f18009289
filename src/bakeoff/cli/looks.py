"""Options on how reports look: they change no result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bakeoff.cli.folding import output_option

if TYPE_CHECKING:
    from bakeoff.report.appearance import Appearance

F = TypeVar("F", bound=Callable[..., Any])


def _looking(name: str, **attributes: Any) -> Callable[[F], F]:
    """An option on how reports look: kept in the context, since it changes no result."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        ctx.meta[f"bakeoff.{parameter.name}"] = value

    return output_option(name, expose_value=False, callback=keep, **attributes)


def appearance(ctx: click.Context) -> Appearance:
    return look_of(lambda name: ctx.meta.get(f"bakeoff.{name}"))


def look_of(setting: Callable[[str], Any]) -> Appearance:
    """What these options ask for, by their names."""
    from bakeoff.report.appearance import Appearance
    from bakeoff.report.nouns import parsed

    return Appearance(
        title=setting("title"),
        highlight=setting("highlight"),
        width_mm=setting("width_mm"),
        caption=not setting("no_caption"),
        script=not setting("no_script"),
        nouns=parsed(setting("call")) if setting("call") else {},
    )


LOOKS = (
    _looking("--title", metavar="TEXT", help="Title of the reports."),
    _looking("--call", metavar="NAMES", help="In reports: algorithms=methods,problems=data sets."),
    _looking("--highlight", metavar="NAME", help="Emphasise this algorithm in figures and tables."),
    _looking(
        "--width-mm", type=click.FloatRange(60, 2000), metavar="N", help="Width of figures. Default: as the names need."
    ),
    _looking("--no-caption", is_flag=True, help="No caption inside figures."),
    _looking(
        "--no-script", is_flag=True, help="Leave out the HTML script that checks numbers and tries other choices."
    ),
)
