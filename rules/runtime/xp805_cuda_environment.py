"""XP805: environment variables of CUDA, NCCL and their launchers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Harm, Rule
from xlaport.suppressions.comments import in_python
from xlaport.wording import Text

from .._lib.catalogue import Disposition, Entry, Kind, catalogue
from .._lib.distributed import names
from .._lib.distributed.jobs import job_of
from .._lib.removal import removal
from .._lib.runtime.saying import say
from .._lib.series import numbered, series
from .._lib.texts import is_for_people
from .._lib.variables import Mention, Where, mentions, needed

_COMMAND = re.compile(r"(?:^|\s|;)(?:export\s+)?([A-Z][A-Z0-9_]{2,})=")
_OWN = re.compile(r"CUDA_|CUBLAS_|NCCL_|NVIDIA_|TORCH_NCCL_|TORCH_CUD|PYTORCH_(NO_)?CUDA_")
"""Names that mean nothing but the variable."""
_PORTS = "XP603"
_CHOOSING = frozenset({"env:CUDA_VISIBLE_DEVICES", "env:NVIDIA_VISIBLE_DEVICES"})


class Environment(Rule):
    """Drop environment variables that only CUDA reads, and report the others.

    ## What it does
    Removes `os.environ["CUDA_VISIBLE_DEVICES"] = "0"` and other statements that set a variable of CUDA, cuDNN or
    NCCL which no file of the project reads. What is left of them in a file is reported once, with what to do about
    each. An empty `CUDA_VISIBLE_DEVICES`, or -1, is reported, too: it keeps a program on the CPU.

    ## Why
    Nothing on a TPU reads them, and torch_xla.launch() does not set what torchrun sets. Code that selects a device by
    them finds nothing, or the wrong device.

    ## Example
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "0"
        root = os.environ["HOME"]

    becomes

        import os
        root = os.environ["HOME"]

    ## When it is wrong
    Where the variable is set for another program that this one starts on a GPU.

    ## When it is left alone
    Texts for people, and variables that the program itself reads.

    ## Sources
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html
    - PyTorch, CUDA semantics: https://docs.pytorch.org/docs/stable/notes/cuda.html

    ## Related
    XP814, XP906.
    """

    code = "XP805"
    name = "cuda-environment"
    summary = "environment variables of CUDA and NCCL go"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = ("CUD", "NCCL", "NVIDIA", "environ", "getenv", "ALLOC_CONF", "CUBLAS", "TORCH", "TRITON", "XFORMERS")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each statement that is removed, and one for all that is left in the file."""
        found = list(mentions(context))
        ported = _is_ported(context)
        wanted = needed(context, found)
        left: list[_Left] = []
        for mention in found:
            entry = _entry(context, mention.name)
            if entry is not None and _is_variable(context, mention):
                if ported and mention.name in names.STARTED_WITH:
                    continue  # (torchrun sets it as before, or the runtime is asked in its place: XP603)
                edit = _removal(context, mention, entry, mention.name in wanted)
                if edit is None or mention.statement is None:
                    left.append(_Left(mention.node, mention.name, entry))
                    continue
                yield self.finding(
                    context.span(mention.statement),
                    say("XP805.removed", what=mention.name, why=entry.answer.why),
                    edit,
                )
        left = sorted([*left, *_commands(context)], key=lambda one: context.place(one.node).start)
        kept = in_python(context.module.text)
        asked = [one for one in left if kept.keeps(context.place(one.node).start, self.code)]
        for together in (*([one] for one in asked), [one for one in left if one not in asked]):
            if together:
                yield self.finding(context.place(together[0].node), _note(context, together))


@dataclass(frozen=True)
class _Left:
    """A place that names a variable and stays as it is."""

    node: ast.Constant | ast.keyword
    variable: str
    entry: Entry


def _commands(context: Context) -> Iterator[_Left]:
    """``"CUDA_VISIBLE_DEVICES=0 python train.py"``"""
    for node in context.module.nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        for match in _COMMAND.finditer(node.value):
            entry = _entry(context, match[1])
            if entry is not None and _OWN.match(match[1]) and not is_for_people(context, node):
                yield _Left(node, match[1], entry)
                break


def _removal(context: Context, mention: Mention, entry: Entry, is_wanted: bool) -> Edit | None:
    """The edit that takes out a statement which sets a variable; None where that is left to the author."""
    if mention.statement is None or is_wanted or entry.answer.disposition is not Disposition.REMOVE:
        return None
    if entry.name in _CHOOSING and mention.value is not None and _may_say_none(mention.value):
        return None
    return removal(context, mention.statement)


def _note(context: Context, left: list[_Left]) -> Text:
    """What is said of all places in a file: which variables they name, and what becomes of each, and where."""
    groups: dict[str, list[_Left]] = {}
    for one in left:
        groups.setdefault(one.entry.answer.recipe, []).append(one)
    recipe = " ".join(_told(context, *group) for group in groups.items()) if len(left) > 1 else next(iter(groups))
    whys = {one.entry.answer.why for one in left}
    if len(whys) > 1:
        return say("XP805.several", what=_names(left), recipe=recipe)
    each = len({one.variable for one in left}) > 1
    return say("XP805.each" if each else "XP805.left", what=_names(left), why=whys.pop(), recipe=recipe)


def _told(context: Context, recipe: str, left: list[_Left]) -> str:
    """A recipe for some variables: ```RANK` (lines 3 and 4): call …``."""
    where = numbered(context.line(one.node) for one in left)
    return say.phrase("variable", what=_names(left), where=where, recipe=f"{recipe[0].lower()}{recipe[1:]}")


def _names(left: list[_Left]) -> str:
    return series(dict.fromkeys(f"`{one.variable}`" for one in left))


def _is_ported(context: Context) -> bool:
    """Whether what starts the processes of a program, and what they read of it, is ported as a whole."""
    job = job_of(context) if _PORTS in context.codes else None
    return job is not None and (job.is_ported or (job.is_nccl and job.obstacle is None))


def _entry(context: Context, variable: str) -> Entry | None:
    entry = catalogue(context.target.table).find(f"env:{variable}")
    if entry is None or entry.kind is not Kind.VARIABLE or entry.rule is not None:
        return None
    return entry if entry.answer.disposition is not Disposition.KEEP else None


def _is_variable(context: Context, mention: Mention) -> bool:
    """Whether a text that is spelled like the variable is used for it: ``RANK`` may be anything."""
    if mention.where is not Where.OTHER:
        return True
    node = mention.node
    if not isinstance(node, ast.Constant) or isinstance(context.module.parents[node], ast.Subscript):
        return False
    return _OWN.match(mention.name) is not None and not is_for_people(context, node)


def _may_say_none(value: ast.expr) -> bool:
    """Whether a value may choose no GPU at all, so that the program runs on the CPU."""
    return any(isinstance(part, ast.Constant) and part.value in ("", "-1", -1) for part in ast.walk(value))
