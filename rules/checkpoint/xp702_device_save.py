"""XP702: what is written to a checkpoint."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.rule import Applicability, Edit, Finding, Harm, RemoveArgument, Replace, Rule, Span, Trait
from xlaport.wording import Text

from .._lib import host_only, ranks
from .._lib.arguments import with_argument
from .._lib.checkpoint import saves
from .._lib.checkpoint.contents import Contents, Spot, contents, contents_of
from .._lib.checkpoint.plain_values import on_device
from .._lib.checkpoint.saying import say
from .._lib.distributed import replicas
from .._lib.one_line import in_one_line, one_line

_RENAMED = {"obj": "data", "f": "file_or_path"}
_PLACING = re.compile(rb"cuda|xla|\.to\(\s*(\w+\.)*device\b")
_IDLE = frozenset({"pickle_protocol"})
"""Options that say how, not what: each version of torch.load() reads what there is without them."""


class DeviceSave(Rule):
    """Save tensors of the CPU.

    ## What it does
    Replaces `torch.save(...)` of what holds tensors of the device, such as the state_dict of a model or an
    optimizer, by `xm.save(...)`. Where each process writes a file of its own, which its path says, or a buffer in its
    memory, `master_only=False` comes with it. What xm.save() cannot do is reported: whole modules, Parameters,
    options of the pickler.

    ## Why
    The file of `torch.save` names the device of each tensor. It loads only where torch_xla is installed, or with
    `map_location="cpu"`: elsewhere `torch.load(path)` raises PyTorch's NotImplementedError, for a device that it does
    not know (measured on torch_xla 2.9). `xm.save` brings all tensors to the CPU at once and writes the file that a
    program for the CPU would have written. In a program of several processes all of them call it, and the first one of
    each host writes.

    ## Example
        import torch_xla.core.xla_model as xm

        torch.save({"model": model.state_dict(), "epoch": 3}, "last.pt")

    becomes

        import torch_xla.core.xla_model as xm

        xm.save({"model": model.state_dict(), "epoch": 3}, "last.pt")

    ## When it is wrong
    Measured on torch_xla 2.9: xm.save() makes lists of tuples and plain dicts of other mappings, also of an
    OrderedDict, whose state_dict then loads without the versions of its modules. All modules of PyTorch 2.9 that were
    tried load it; one of yours that overrides `_load_from_state_dict` may ask for the version. What is not known to
    hold neither makes the fix unsafe. A whole module is not copied to the CPU to be saved, since
    `copy.deepcopy(model).cpu()` unties weights that are tied.

    Of a checkpoint of many gigabytes, whose copy on the host is too large, `torch_xla.utils.serialization.save` writes
    each tensor to a file of its own, and its `load` reads them. Checkpoints in shards are those of
    `torch.distributed.checkpoint`, with the planners of `torch_xla.experimental.distributed_checkpoint`.

    ## When it is left alone
    Files of what lies on the host, of the samples that a data set makes in the workers of a loader, buffers that are
    read again in the same program, scripts that convert checkpoints, programs for the CPU, the saves of other
    libraries, and a checkpoint with parts whose type `xm.save()` may change (unsafe).

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, Serialization semantics: https://docs.pytorch.org/docs/stable/notes/serialization.html
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html

    ## Related
    XP701, XP703, XP827.
    """

    code = "XP702"
    name = "device-save"
    summary = "checkpoints are saved with tensors of the CPU"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OWN_FILES,)
    words = ("save",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each save of tensors of the device."""
        calls = [c for c in context.module.calls if context.resolve(c.func) in saves.TORCH and context.editable(c)]
        handing = [c for c in context.module.calls if not saves.TORCH.isdisjoint(context.roles.handed(c))]
        if not (calls or handing) or host_only.stays_on_host(context):
            return
        for call in handing:  # ``atexit.register(torch.save, state, path)``
            given_so = next(g for name, g in context.roles.handed(call).items() if name in saves.TORCH)
            if [tensor for value in given_so.arguments[:1] for tensor in on_device(value)]:
                save, imports = context.symbol("save", call)
                named = [argument for argument in call.args if context.resolve(argument) in saves.TORCH]
                edits = [Replace(context.span(argument), save) for argument in named if context.editable(argument)]
                said = say("XP702.saved", save=save, each="")
                yield self.finding(
                    context.place(call), said, *edits, imports=imports, applicability=Applicability.UNSAFE
                )
        for call in calls:
            if saves.is_of_sample(context, call):
                continue
            handed = saves.handed_on(context, call)
            if handed is not None:
                found = contents_of(context, handed)
                if found.device and not (found.modules or found.generators or found.parameters or found.random_states):
                    yield self._saved(context, call, {}, found)
                continue
            given = saves.saved(context, call)
            if given is not None and "obj" in given and "f" in given and not saves.is_own_buffer(context, given["f"]):
                found = contents(context, given["obj"])
                problem = _problem(context, call, given, found)
                if problem is not None:
                    yield self.finding(context.span(call), problem)
                elif found.device and not _are_of_script_for_cpu(context, found):
                    yield self._saved(context, call, given, found)
                elif found.passed:
                    yield self._passed(context, call, given)

    def _saved(self, context: Context, call: ast.Call, given: dict[str, ast.expr], found: Contents) -> Finding:
        save, imports = context.symbol("save", call)
        edits: list[Edit] = [Replace(context.span(call.func), save)]
        for keyword in call.keywords:
            span = context.span(keyword)
            if keyword.arg in _RENAMED:
                edits.append(Replace(Span(span.start, span.start + len(keyword.arg)), _RENAMED[keyword.arg]))
            elif keyword.arg in _IDLE:
                edits.append(RemoveArgument(context.span(call), span))
        each = ""
        if given and replicas.are_processes(context) and _writes_each(context, call, given["f"]):
            last = with_argument(context, call, "master_only=False")
            edits = [e for e in edits if not (isinstance(e, Replace) and last.span.overlaps(e.span))]
            edits.append(self._renamed(context, call, last))
            each = say.phrase("each_process")
        changed = [*found.retyped, *found.unknown, *found.passed]
        said = say("XP702.saved", save=save, each=each)
        if changed:
            said = say("XP702.retyped", save=save, each=each, what=_placed(context, call, changed[0]))
        return self.finding(
            context.span(call),
            said,
            *edits,
            imports=imports,
            applicability=Applicability.UNSAFE if changed else Applicability.SAFE,
        )

    def _renamed(self, context: Context, call: ast.Call, last: Replace) -> Replace:
        """The last argument with what follows it, under the name that the new function has for it."""
        keyword = next((k for k in call.keywords if context.span(k).start == last.span.start), None)
        if keyword is None or keyword.arg is None:
            return last
        return Replace(last.span, _RENAMED[keyword.arg] + last.code.removeprefix(keyword.arg))

    def _passed(self, context: Context, call: ast.Call, given: dict[str, ast.expr]) -> Finding:
        save, _ = context.symbol("save", call)
        what, path = one_line(context, given["obj"]), one_line(context, given["f"])
        return self.finding(context.span(call), say("XP702.passed", save=save, what=what, path=path))


def _are_of_script_for_cpu(context: Context, found: Contents) -> bool:
    """Whether a script that trains nothing, and speaks of no device, has made all that it saves: it converts files."""
    if host_only.speaks_of_device(context) or context.view.importers or context.loops.all():
        return False
    own, program = context.view.own.file, context.view.program
    if not context.view.is_alone:
        others = reached([own], program.graph.imports) - {own}
        if any(_PLACING.search(program.data(file)) for file in others):
            return False  # what the script has made may have moved
    return all(_is_made(context, facts, _owner(facts, node)) for facts, node in found.device)


def _is_made(context: Context, facts: Facts, node: ast.expr) -> bool:
    """Whether a call of the script makes a value, what a name stands for, or what all callers pass for it."""
    if isinstance(node, ast.Call) or isinstance(facts.names.assigned(node), ast.Call):
        return True
    made = Origins(context.flow.structure).of(facts, node) if isinstance(node, ast.Name) else None
    return bool(made) and all(isinstance(spot.node, ast.Call) and spot.facts is facts for spot in made or ())


def _owner(facts: Facts, node: ast.expr) -> ast.expr:
    """``net`` of ``net.state_dict()``, ``nn.Linear(4, 2)`` of ``nn.Linear(4, 2).half().state_dict()``."""
    while isinstance(node, ast.Call | ast.Attribute):
        if isinstance(node, ast.Call) and (isinstance(node.func, ast.Name) or facts.names.resolve(node.func)):
            return node
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def _writes_each(context: Context, call: ast.Call, path: ast.expr) -> bool:
    """Whether each process writes a file or a buffer of its own, and not only the first one of a host."""
    values = [path, *([v] if (v := context.names.assigned(path)) is not None else [])]
    return (
        saves.is_buffer(context, path)
        or any(ranks.asks(context, value) for value in values)
        or ranks.is_for_others(context, call)
    )


def _problem(context: Context, call: ast.Call, given: dict[str, ast.expr], found: Contents) -> Text | None:
    """Why xm.save() cannot write this, and what to do."""
    save, _ = context.symbol("save", call)
    path = one_line(context, given["f"])
    if found.generators:
        what = _text(context, found.generators[0])
        return say("XP702.generator", save=save, what=what, owner=what.rpartition(".")[0], path=path)
    if found.modules:
        what, states = _text(context, found.modules[0]), _with_states(context, given["obj"], found)
        return say("XP702.whole", save=save, what=what, states=states, path=path)
    if found.parameters:
        return say("XP702.parameters", save=save, what=_placed(context, call, found.parameters[0]))
    if found.device and found.random_states:
        return say("XP702.random_state", save=save, what=_text(context, found.random_states[0]))
    options = [name for name in given if name not in _RENAMED and name not in _IDLE]
    if any(name in _IDLE for name in given) and replicas.are_several(context):
        options = [name for name in given if name not in _RENAMED]
    if options and found.device:
        return say("XP702.options", save=save, options="`, `".join(options))
    return None


def _with_states(context: Context, saved: ast.expr, found: Contents) -> str:
    """What is saved, with the states of the objects in their place, and with all that stands beside them."""
    whole = {node for facts, node in found.modules if facts is context.view.own} & set(ast.walk(saved))
    if not whole:
        return f"{_text(context, found.modules[0])}.state_dict()"
    span, text = context.span(saved), context.module.segment(saved)
    for end in sorted((context.span(node).end - span.start for node in whole), reverse=True):
        text = f"{text[:end]}.state_dict(){text[end:]}"
    return in_one_line(text)


def _text(context: Context, spot: Spot) -> str:
    facts, node = spot
    return one_line(context.of(facts), node)


def _placed(context: Context, call: ast.Call, spot: Spot) -> str:
    """An expression for a message, with its line where that is not in the call."""
    facts, node = spot
    line = "" if node in set(ast.walk(call)) else f" (line {context.line_of(facts, node)})"
    return f"`{_text(context, spot)}`{line}"
