"""A command that knows which of its words stand behind ``--``, which typer forgets."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand

from xlaport.errors import UserError

_BEHIND = "xlaport.behind"
_USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""click's UsageError, by way of a class of typer's: some versions of typer hold a copy of click, which has no name."""


class SeparatorCommand(TyperCommand):
    """A command whose words behind ``--`` belong to another program."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse, remember how many words stand behind ``--``, and say where foreign options go.

        `ctx` is click's context, which some versions of typer hold a copy of: it has no name of its own here.
        """
        ctx.meta[_BEHIND] = len(args) - args.index("--") - 1 if "--" in args else 0
        try:
            return super().parse_args(ctx, args)
        except _USAGE as error:
            option = getattr(error, "option_name", None)
            if type(error).__name__ != "NoSuchOption" or option is None:
                raise
            said = f"no option {option} here"
            near = getattr(error, "possibilities", None)
            said += f"; did you mean {' or '.join(sorted(near))}?" if near else ""
            raise UserError(
                f"{said}; an option of the script stands behind --:  xlaport {ctx.info_name} SCRIPT -- {option} …"
            ) from None


def behind(context: typer.Context) -> int:
    """How many of the last words stand behind ``--``."""
    count = context.meta.get(_BEHIND, 0)
    assert isinstance(count, int)
    return count
