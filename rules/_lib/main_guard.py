"""The ``if __name__ == "__main__":`` of the file that a rule looks at."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts import main_guards


def main_guard(context: Context) -> ast.If | None:
    """The guard at the top of a file; None where it has none."""
    return main_guards.main_guard(context.module)
