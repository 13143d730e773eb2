"""XP103: device strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.flow import Reach, Sink, SinkKind, Spot
from xlaport.facts.options import option_name
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, RemoveStatement, Replace, Rule
from xlaport.wording import Text

from .._lib.device import branches, cuda, device_groups, device_index, device_types, guarded, placing
from .._lib.device.device_groups import Group, is_a_stranger_s, where
from .._lib.device.saying import say
from .._lib.device.survey import is_source, takes_no_device
from .._lib.one_line import one_line


class DeviceString(Rule):
    """Rewrite "cuda" where it names a device, and leave it where it does not.

    ## What it does
    Follows each "cuda" string through names, parameters, attributes, dicts, config classes and command-line
    options, in all files of the project. Where it reaches something that takes a device (`x.to(…)`, `device=…`,
    `torch.device(…)`, `torch.autocast(…)`), the string becomes "xla", together with the strings that it is
    compared with. A string in a `.to(…)` or `device=…` itself becomes the device, and so does a bare number
    there, or a rank (`gpu_ids[0]`, too): 0 means cuda:0. What belongs together changes together or not at all:
    name all the files of it, or their folder.

    A string that something is looked up by (`NAMES[device]`) stays, and what takes a device gets the device
    itself. A comparison that guards what only CUDA has stays, too, and is reported; so is a "cuda" that is
    called a device but goes where the analysis cannot follow (a function of another package).

    ## Why
    "cuda" raises without a GPU; a comparison with "cuda" that is left behind silently takes the CPU path.
    What takes no XLA device at all, `map_location` and `torch.Generator`, is left to XP701 and XP107.

    ## Example
        device = "cuda" if torch.cuda.is_available() else "cpu"
        print("fast" if device == "cuda" else "slow")
        x = torch.zeros(3, device=device)

    becomes

        device = "xla"
        print("fast" if device == "xla" else "slow")
        x = torch.zeros(3, device=device)

    ## When it is wrong
    A comparison that switches a CUDA-only feature on. One that speaks of fused kernels is left as it is.

    ## When it is left alone
    Texts that reach no device: paths, labels, help texts, keys, names of branches; a `device=` or `.to()` of another
    library; a string that something is looked up by, or a number read out of it; a comparison that guards CUDA's own
    code. Where one of several strings that belong together cannot change, none does.

    ## Sources
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html

    ## Related
    XP101, XP104, XP111, XP811, XP813.
    """

    code = "XP103"
    name = "cuda-device-string"
    summary = 'a "cuda" string that reaches a device becomes "xla"'
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("cuda", "device=", ".to(")
    across = ("cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each string, and one for each comparison with a device's type."""
        for node in context.module.of_type(*_KINDS):
            if isinstance(node, ast.expr) and is_source(context, node):
                yield from self._taken(context, node)
            elif isinstance(node, ast.Constant) and node.value == context.target.device_type:
                yield from self._unlike(context, context.flow.reach(node))
            elif isinstance(node, ast.Call):
                yield from self._number(context, node)
            elif isinstance(node, ast.Compare | ast.Match):
                yield from self._type_question(context, node)
        for group in device_groups.groups(context):
            yield from self._group(context, group)

    def _taken(self, context: Context, node: ast.expr) -> Iterator[Finding]:
        """A string that stands where a device is taken."""
        sink = context.flow.sink(node)
        if sink is None or takes_no_device(context, sink) or is_a_stranger_s(context, sink):
            return
        if sink.kind is SinkKind.DEVICE:
            text, imports = placing.device(context, node)
        else:
            text, imports = self._quoted(context, node), self._imports(context, node)
        said = say("XP103.device", source=one_line(context, node), device=text)
        if index := cuda.device_index(node):
            said = say("XP103.index", index=index, device=text)
        yield self.finding(context.span(node), said, Replace(context.span(node), text), imports=imports)

    def _group(self, context: Context, group: Group) -> Iterator[Finding]:
        sources = [(spot, reach) for spot, reach in group.movers if spot.facts is context.view.own]
        sinks = group.sinks(context)
        if not sinks:
            for spot, _ in sources:
                yield from self._lost(context, spot.node)
            return
        obstacle = group.obstacle(context)
        if obstacle is not None:
            yield from self._held_up(context, group, obstacle)
            return
        need = group.need(context)
        if need is not None:
            for spot, reach in sources:
                if device_groups.taking(context, reach):
                    yield self._device_apart(context, spot.node, reach, need)
            return
        yield from self._staying(context, group)
        for reach in group.reaches:
            yield from self._unlike(context, reach)
        done: set[Spot] = set()
        for spot, reach in sources:
            if spot not in done:
                yield from self._source(context, spot.node, reach, sinks)
                done |= {spot, *reach.comparisons, *reach.lists}
        if len(sources) < len(group.movers):
            yield from self._answers(context, group, done)

    def _source(self, context: Context, node: ast.expr, reach: Reach, sinks: list[Sink]) -> Iterator[Finding]:
        whole = self._whole_choice(context, node)
        setting = context.module.statement(node)
        idle = (
            branches.says_again(context, setting, setting, node) if context.module.parents[whole] is setting else None
        )
        if idle is not None:  # `if device == "cuda": device = "cuda" if … else "cpu"`
            inside = [spot for spot in reach.comparisons if spot.node in ast.walk(idle)]
            answers = [spot for spot in [*reach.comparisons, *reach.lists] if spot not in inside]
            edits: list[Edit] = [RemoveStatement(context.span(idle)), *self._others(context, answers)]
        else:
            edits = [Replace(context.span(whole), self._quoted(context, node))]
            edits += self._others(context, [*reach.comparisons, *reach.lists])
        first = min(sinks, key=lambda sink: (sink.facts is not context.view.own, sink.facts.file, sink.value.lineno))
        said = say("XP103.reaches", where=where(context, Spot(first.facts, first.value)))
        if index := cuda.device_index(node):
            said = say("XP103.index", index=index, device=self._quoted(context, node))
        yield self.finding(context.span(whole), said, *edits, imports=self._imports(context, node))

    def _answers(self, context: Context, group: Group, done: set[Spot]) -> Iterator[Finding]:
        """The comparisons of this file with strings of other files, but for those that are done."""
        abroad = next(spot for spot, _ in group.movers if spot.facts is not context.view.own)
        for spot in group.answers:
            for edit in self._others(context, [spot]) if spot not in done else ():
                yield self.finding(context.span(spot.node), say("XP103.answer", where=where(context, abroad)), edit)

    def _held_up(self, context: Context, group: Group, obstacle: Text) -> Iterator[Finding]:
        own = [spot for spot in [*group.sources, *group.answers] if spot.facts is context.view.own]
        for spot in own:
            if cuda.is_cuda_string(spot.node):
                yield self.finding(context.span(spot.node), obstacle)

    def _staying(self, context: Context, group: Group) -> Iterator[Finding]:
        for spot in dict.fromkeys(answer for reach in group.reaches for answer in reach.comparisons):
            if spot.facts is context.view.own and cuda.is_cuda_string(spot.node) and context.editable(spot.node):
                why_not = self._why_not(context, spot.node)
                if why_not is not None:
                    yield self.finding(context.span(spot.node), why_not)

    def _unlike(self, context: Context, reach: Reach) -> Iterator[Finding]:
        """What a device string is compared with in this file that says "cuda" in another way."""
        for spot in reach.comparisons if reach.sinks else ():
            said = getattr(spot.node, "value", None)
            if spot.facts is context.view.own and isinstance(said, str) and not cuda.is_cuda_string(spot.node):
                if "cuda" in said.lower():
                    yield self.finding(context.place(spot.node), say("XP103.unlike", text=one_line(context, spot.node)))

    def _device_apart(self, context: Context, node: ast.expr, reach: Reach, need: str) -> Finding:
        """The string stays, since something needs it as it is; what takes a device gets the device itself."""
        whole = self._whole_choice(context, node)
        edits: list[Edit] = []
        imports: tuple[Import, ...] = ()
        for sink in device_groups.taking(context, reach):
            here = sink.facts is context.view.own
            if not here or not self._holds_only(context, sink.value, whole) or not context.editable(sink.value):
                device, taker = context.symbol("device", node)[0], where(context, Spot(sink.facts, sink.value))
                said = say("XP103.both", need=need, taker=taker, device=f"{device}()")
                return self.finding(context.span(node), said)
            is_device = sink.kind is SinkKind.DEVICE
            text, needed = placing.device(context, sink.value) if is_device else ("", self._imports(context, node))
            edits.append(Replace(context.span(sink.value), text or f'"{context.target.device_type}"'))
            imports += needed
        if whole is not node:
            edits.append(Replace(context.span(whole), context.module.segment(node)))
        return self.finding(context.span(whole), say("XP103.apart", need=need), *edits, imports=imports)

    def _holds_only(self, context: Context, use: ast.expr, value: ast.expr) -> bool:
        """Whether a name can have no other value than this one."""
        if not isinstance(use, ast.Name):
            return False
        found = context.names.reaching(use)
        return bool(found) and all(binding.value is value for binding in found)

    def _number(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        """``x.to(0)``, ``x.to(rank)``, ``torch.zeros(3, device=0)``: a number is the index of a CUDA device."""
        index = device_index.taken(context, call)
        if index is None:
            return
        text, imports = placing.device(context, index.value)
        yield self.finding(
            context.span(index.value),
            say("XP103.number", number=one_line(context, index.value), device=text),
            Replace(context.span(index.value), text),
            imports=imports,
            applicability=None if index.known else Applicability.UNSAFE,
        )

    def _lost(self, context: Context, node: ast.expr) -> Iterator[Finding]:
        """A string that is called a device, but that none takes."""
        name = self._called(context, node)
        if name is None or not any(word in name.lower() for word in _DEVICE_WORDS):
            return
        yield self.finding(context.span(node), say("XP103.lost", name=name))

    def _called(self, context: Context, node: ast.expr) -> str | None:
        """The name under which an expression is stored or handed on."""
        chosen = context.module.parents[node]
        if isinstance(chosen, ast.IfExp) and chosen.test is not node:
            node, chosen = chosen, context.module.parents[chosen]
        parent = chosen
        if isinstance(parent, ast.keyword):
            call = context.module.parents[parent]
            if not isinstance(call, ast.Call) or context.flow.structure.run_by(context.view.own, call) is not None:
                return None
            if parent.arg == "default" and isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
                return option_name(call)
            return parent.arg
        if isinstance(parent, ast.Dict) and node in parent.values:
            key = parent.keys[parent.values.index(node)]
            return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if isinstance(parent, ast.AnnAssign) and isinstance(context.module.parents[parent], ast.ClassDef):
            return dotted(parent.target)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                return str(target.slice.value)
            if isinstance(target, ast.Attribute) or context.flow.reach(node).unknown:
                return dotted(target)
        return None

    def _whole_choice(self, context: Context, node: ast.expr) -> ast.expr:
        """``"cuda" if torch.cuda.is_available() else "cpu"`` as a whole."""
        chosen = cuda.choice(context.module.parents[node])
        if (
            chosen is not None
            and chosen.accelerator is node
            and cuda.is_available_call(context, chosen.test)
            and cuda.is_cpu_string(chosen.other)
        ):
            return chosen.node
        return node

    def _others(self, context: Context, answers: list[Spot]) -> list[Edit]:
        """The edits of those of the strings that stand in this file."""
        edits: list[Edit] = []
        for other in answers:
            if other.facts is not context.view.own:
                continue
            if self._speaks_of_fused(context, other.node) or self._why_not(context, other.node) is not None:
                continue
            if cuda.is_cuda_string(other.node) and context.editable(other.node):
                edits.append(Replace(context.span(other.node), self._quoted(context, other.node)))
        return edits

    def _why_not(self, context: Context, answer: ast.expr) -> Text | None:
        """Why a comparison, or ``device.startswith("cuda")``, has to stay false on a TPU."""
        compare = context.module.parents[answer]
        if isinstance(compare, ast.Tuple | ast.List | ast.Set):
            compare = context.module.parents[compare]
        return guarded.why_not(context, compare) if isinstance(compare, ast.Compare | ast.Call) else None

    def _speaks_of_fused(self, context: Context, node: ast.expr) -> bool:
        # fused=True raises on XLA: a test that chooses it has to stay false.
        return "fused" in context.module.segment(context.module.statement(node))

    def _type_question(self, context: Context, node: ast.AST) -> Iterator[Finding]:
        question = device_types.question(context, node)
        for answer in question.answers if question is not None else ():
            if cuda.is_cuda_string(answer) and context.editable(answer) and not self._speaks_of_fused(context, answer):
                assert question is not None
                why_not = self._why_not(context, answer)
                if why_not is not None:
                    yield self.finding(context.span(answer), why_not)
                    continue
                yield self.finding(
                    context.span(answer),
                    say("XP103.type"),
                    Replace(context.span(answer), self._quoted(context, answer)),
                    applicability=None if question.known else Applicability.UNSAFE,
                )

    def _quoted(self, context: Context, node: ast.expr) -> str:
        text = context.module.segment(node)
        quote = "'" if text.rstrip().endswith("'") else '"'
        return f"{quote}{context.target.device_type}{quote}"

    def _imports(self, context: Context, node: ast.AST) -> tuple[Import, ...]:
        # The string means something only once torch_xla has registered its device.
        return context.symbol("device", node)[1]


_KINDS = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call, ast.Compare, ast.Match)
"""What may be a device string, take a number for a device, or ask for a device's type."""
_DEVICE_WORDS = ("device", "accelerator")
