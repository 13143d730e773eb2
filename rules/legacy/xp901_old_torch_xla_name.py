"""XP901: names of torch_xla that are spelled in another way now."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.arguments import given
from .._lib.device.fold import Fold
from .._lib.legacy.lifetimes import absence
from .._lib.legacy.references import Reference, references, replaced, spelled
from .._lib.legacy.saying import say
from .._lib.legacy.upgrades import Arguments, Upgrade, upgrade, upgrades
from .._lib.removal import is_effect_free


class OldName(Rule):
    """Write old names of torch_xla as the target does.

    ## What it does
    Replaces `xm.mark_step()`, `xm.xla_device()`, `xm.get_ordinal()`, `xm.xrt_world_size()` and other old names by those
    of the chosen version of torch_xla, however they are imported. Arguments that do nothing any more are removed
    (`defval`, `devkind="TPU"`); the others are kept, or reported.

    ## Why
    `xm.get_ordinal()` and `xm.xrt_world_size()` are removed in torch_xla 2.7: they raise AttributeError.
    `xm.mark_step()` and `xm.xla_device()` still work in 2.9, with a warning that they are deprecated.

    ## Example
        import torch_xla.core.xla_model as xm
        device = xm.xla_device()
        rank = xm.get_ordinal()
        xm.mark_step()

    becomes

        import torch_xla.runtime as xr
        device = torch_xla.device()
        rank = xr.global_ordinal()
        torch_xla.sync()

    ## When it is wrong
    Never for a version from which the new name exists: the new function does the same. Choose another version with
    `--target`.

    ## When it is left alone
    A version (`--target`) that has only the old name, names that are bound to something else, and texts.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.

    ## Related
    XP902, XP903, XP909.
    """

    code = "XP901"
    name = "old-torch-xla-name"
    summary = "xm.mark_step() becomes torch_xla.sync(), xm.get_ordinal() xr.global_ordinal()"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = ("torch_xla", *sorted({name.rpartition(".")[2] for name in upgrades()} - {"compile"}))

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of an old name."""
        for reference in references(context):
            found = upgrade(reference.name, context.target)
            if found is not None:
                yield from self._finding(context, reference, found)

    def _finding(self, context: Context, reference: Reference, found: Upgrade) -> Iterator[Finding]:
        node = reference.node
        parent = context.module.parents[node]
        call = parent if isinstance(parent, ast.Call) and parent.func is node else None
        if found.arguments is Arguments.CONSTANT:
            yield self._constant(context, reference, found, call)
            return
        if found.arguments is Arguments.STEP and not self._says_the_same(context, call):
            return
        text, imports, beside = spelled(context, context.target.symbol(found.becomes), reference)
        state = _state(context, reference)
        said = say("XP901.name", old=ast.unparse(node), state=state, new=text)
        arguments = self._arguments(context, call, found.arguments, text) if call is not None else _Kept()
        if isinstance(arguments, str):
            yield self.finding(context.place(node), replace(said, recipe=arguments))
            return
        if call is not None and arguments.dropped:
            edit = replaced(context, call, f"{text}()")
        else:
            edit = replaced(context, node, text)
        if edit is None:
            yield self.finding(context.place(node), replace(said, recipe=say.phrase("f-string", new=text)))
            return
        edits, applicability = (edit, *beside), reference.applicability(self.applicability)
        if call is None and found.arguments in (Arguments.DEVICE, Arguments.DEFAULT):
            applicability = Applicability.UNSAFE
            said = say("XP901.function", old=ast.unparse(node), state=state, new=text)
        yield self.finding(edit.span, said, *edits, imports=imports, applicability=applicability)

    def _constant(self, context: Context, reference: Reference, found: Upgrade, call: ast.Call | None) -> Finding:
        said = say("XP901.constant", name=reference.name, value=found.becomes)
        if call is None or call.args or call.keywords or not context.editable(call):
            place = context.place(call if call is not None and not (call.args or call.keywords) else reference.node)
            return self.finding(place, replace(said, recipe=say.phrase("write", new=found.becomes)))
        edits = Fold(context).edits(call, found.becomes == "True")
        return self.finding(
            context.place(call), said, *edits, applicability=reference.applicability(self.applicability)
        )

    # -- arguments -------------------------------------------------------------------------------------

    def _says_the_same(self, context: Context, call: ast.Call | None) -> bool:
        """Whether the new barrier takes what the old one is given: only from 2.8 it knows ``reset_scope``."""
        if context.target.is_at_least("2.8"):
            return True
        if call is None or any(isinstance(argument, ast.Starred) for argument in call.args):
            return False
        return len(call.args) < 2 and all(keyword.arg == "wait" for keyword in call.keywords)

    def _arguments(self, context: Context, call: ast.Call, kind: Arguments, new: str) -> _Kept | str:
        """What becomes of the arguments, or what to do by hand."""
        if kind in (Arguments.SAME, Arguments.STEP) or not (call.args or call.keywords):
            return _Kept()
        names = ("n", "devkind") if kind is Arguments.DEVICE else ("defval",)
        passed = given(call, names)
        if passed is None:
            return say.phrase("unseen", new=new)
        if kind is Arguments.DEFAULT:
            if not is_effect_free(context, passed["defval"]):
                return say.phrase("unread")
            return _Kept(dropped=True)
        kind_of_device, number = passed.get("devkind"), passed.get("n")
        if not _is_one_of(kind_of_device, None, "TPU"):
            return say.phrase("kind", new=new)
        if not _is_one_of(number, None, 0):
            return say.phrase("number")
        return _Kept(dropped=True)


@dataclass(frozen=True)
class _Kept:
    """The arguments stay as they are, or all go."""

    dropped: bool = False


def _state(context: Context, reference: Reference) -> str:
    is_missing = absence(reference.name, context.target) is not None
    return say.phrase("raises", target=context.target.name) if is_missing else say.phrase("old")


def _is_one_of(node: ast.expr | None, *values: object) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value in values)
