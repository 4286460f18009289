"""Options that most users never need: ``-h`` names them, ``--help-all`` explains them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_args

import click

F = TypeVar("F", bound=Callable[..., Any])
Heading = Literal["Details", "Reading", "Output"]
FEWEST = 4
"""Fewer are explained at once."""


class FoldedOption(click.Option):
    """An option that ``-h`` names without its text, under its heading if it has one."""

    def __init__(self, *args: Any, heading: Heading | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading


def reading_option(*declarations: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*declarations, cls=FoldedOption, heading="Reading", **attributes)


def output_option(*declarations: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*declarations, cls=FoldedOption, heading="Output", **attributes)


class FoldingCommand(click.Command):
    """A command whose ``-h`` explains what changes the answer, and names the other options."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        if not self._folded() or "--help-all" in {name for param in params for name in param.opts}:
            return params
        everything = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Explain every option.",
        )
        return [*params[:-1], everything, *params[-1:]]

    def _folded(self) -> list[FoldedOption]:
        folded = [param for param in self.params if isinstance(param, FoldedOption) and param.heading]
        return folded if len(folded) >= FEWEST else []

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        folded = [] if ctx.meta.get("bakeoff.help_all") else self._folded()
        shown = [param for param in self.get_params(ctx) if isinstance(param, click.Option) and param not in folded]
        with formatter.section("Options"):
            formatter.write_dl([record for param in shown if (record := param.get_help_record(ctx))])
        if folded:
            with formatter.section("More options (--help-all explains them)"):
                for heading in get_args(Heading):
                    names = [option.opts[0] for option in folded if option.heading == heading]
                    indent = f"{'':{formatter.current_indent}}{heading:<9}" if names else ""
                    for line in textwrap.wrap(" ".join(names), formatter.width - len(indent), break_on_hyphens=False):
                        formatter.write(f"{indent}{line}\n")
                        indent = " " * len(indent)


def _show_all(ctx: click.Context, _: click.Parameter, show: bool) -> None:
    if show and not ctx.resilient_parsing:
        ctx.meta["bakeoff.help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()
