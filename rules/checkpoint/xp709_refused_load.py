"""XP709: files of more than tensors, which torch.load() refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule
from xlaport.wording import Text

from .._lib import host_only
from .._lib.arguments import with_argument
from .._lib.checkpoint import loads, own_files
from .._lib.checkpoint.loaded_whole import object_of
from .._lib.checkpoint.saying import say
from .._lib.one_line import one_line

_SINCE = "2.6"


class RefusedLoad(Rule):
    """Load files that hold more than tensors.

    ## What it does
    Gives `weights_only=False` to a `torch.load()` of a file that is seen to hold an object: where the program itself
    saves one there, such as the options of argparse, an array of NumPy, an object of its own classes or a function in
    the groups of an optimizer, and where what is loaded is used as a whole model. Where only the keys of what is
    loaded say that the file is one of the program's own checkpoints, it comes with `--unsafe`.

    ## Why
    Since PyTorch 2.6, `torch.load()` loads tensors, numbers, texts and plain collections of them alone, unless it is
    told otherwise: all else raises an UnpicklingError. A program that was written for an older PyTorch says nothing of
    it, and torch_xla comes with a newer one.

    ## Example
        args = argparse.ArgumentParser().parse_args()
        torch.save({"step": 3, "args": args}, "last.pt")
        step = torch.load("last.pt", map_location="cpu")["step"]

    becomes

        args = argparse.ArgumentParser().parse_args()
        torch.save({"step": 3, "args": args}, "last.pt")
        step = torch.load("last.pt", map_location="cpu", weights_only=False)["step"]

    ## When it is wrong
    A file that others may have written can run any code when it is loaded so, as it could with PyTorch before 2.6. Of
    such a file save and load the tensors alone, and the options as a dict: `vars(args)`.

    ## When it is left alone
    Loads that say `weights_only`, files of which is not known what they hold, programs for the CPU with files of
    their own, programs that name the classes that are allowed (`add_safe_globals`), and a target before 2.6.

    ## Sources
    - Measured on PyTorch 2.9.
    - PyTorch, torch.load: https://docs.pytorch.org/docs/stable/generated/torch.load.html

    ## Related
    XP701, XP702, XP704.
    """

    code = "XP709"
    name = "refused-load"
    summary = "files of more than tensors are loaded with weights_only=False"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("load",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each load that PyTorch would refuse."""
        if not context.target.is_at_least(_SINCE):
            return
        calls = [c for c in context.module.calls if context.resolve(c.func) == "torch.load" and _is_open(context, c)]
        if not calls or _allows(context):
            return
        is_of_host = host_only.stays_on_host(context)
        for call in calls:
            found = None if is_of_host and not _is_of_device(context, call) else self._found(context, call)
            if found is not None:
                yield found

    def _found(self, context: Context, call: ast.Call) -> Finding | None:
        own, applicability = own_files.of_file(context, call), Applicability.SAFE
        if not own:
            used = object_of(context, call)
            if used is not None:
                said = say("XP709.object", line=context.line(used))
                return self._loaded(context, call, said, applicability)
            own, applicability = own_files.like_file(context, call), Applicability.UNSAFE
        one = next((one for one in own if one.object is not None), None)
        if one is None or one.object is None:
            return None
        facts, node = one.object
        what, line = one_line(context.of(facts), node), context.line_of(one.facts, one.call)
        return self._loaded(context, call, say("XP709.saved", what=what, line=line), applicability)

    def _loaded(self, context: Context, call: ast.Call, said: Text, applicability: Applicability) -> Finding:
        edit = with_argument(context, call, "weights_only=False")
        return self.finding(context.span(call), said, edit, applicability=applicability)


def _allows(context: Context) -> bool:
    """Whether the program says itself which classes its files hold."""
    return any("safe_globals" in (context.resolve(call.func) or "") for call in context.module.calls)


def _is_of_device(context: Context, call: ast.Call) -> bool:
    """Whether a program for the CPU loads what another program of the project has saved that uses the device."""
    others = {one.facts for one in own_files.of_file(context, call)} - {context.view.own}
    return any(not host_only.stays_on_host(context.of(facts)) for facts in others)


def _is_open(context: Context, call: ast.Call) -> bool:
    """Whether a load leaves it to PyTorch what it may load."""
    if not (call.args or call.keywords) or not loads.is_plain(call) or not context.editable(call):
        return False
    return all(keyword.arg not in ("weights_only", "pickle_module") for keyword in call.keywords) and len(call.args) < 3
