"""Something that cannot be rewritten."""

from __future__ import annotations

import ast

from xlaport.facts.steps import Stays


class Refused(Exception):
    """Something cannot be rewritten; `stays` says why."""

    def __init__(self, why: str, node: ast.AST | None = None) -> None:
        super().__init__(why)
        self.stays = Stays(why, node)
