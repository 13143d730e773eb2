"""What the rules of this folder say: the file `texts.toml` beside this one."""

import ast
from pathlib import Path

from xlaport.context import Context
from xlaport.facts.reads import HostRead
from xlaport.facts.steps import Stays
from xlaport.wording import Wording

from ..one_line import one_line

say = Wording(Path(__file__).parents[2] / "host_reads")

SYNC = "`torch_xla.sync()`"
"""What runs the graph of a step, where the code that does it is too long to be shown."""
_LONGEST = 40


def code(context: Context, node: ast.AST, otherwise: str) -> str:
    """The user's code as a message shows it; `otherwise` where it is too long for one."""
    text = one_line(context, node)
    return f"`{text}`" if len(text) <= _LONGEST and "\n" not in text else otherwise


def code_of(context: Context, read: HostRead) -> str:
    """A read as a message shows it that begins with it."""
    if read.how.startswith("a write"):
        return say.phrase("a write", value=code(context, read.node, "a tensor"))
    return code(context, read.node, f"`{read.how}`" if read.how.endswith(")") else "This read")


def also(context: Context, why: Stays) -> str:
    """The end of a recipe: the line that keeps this from being done for the user."""
    return "" if why.node is None else say.phrase("also there", line=context.line(why.node))
