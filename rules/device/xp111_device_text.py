"""XP111: texts that say "cuda" and may reach a device out of sight."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.rule import Applicability, Finding, Harm, Rule
from xlaport.wording import Text

from .._lib.device import cuda
from .._lib.device.saying import say
from .._lib.one_line import one_line
from .._lib.texts import is_for_people, is_key

_SEARCHING = frozenset("format join replace split strip add_scalar update_layout add_marker xlabel ylabel".split())
_COMPARING = frozenset({"startswith", "endswith"})
_NO_DEVICES = (
    "os.", "re.", "pathlib.", "shutil.", "glob.", "logging.", "typing.", "collections.", "enum.", "importlib.",
    "builtins.open", "builtins.str", "builtins.repr", "builtins.len", "builtins.getattr", "builtins.hasattr",
    "builtins.setattr",
)  # fmt: skip
"""What takes a text and has no use for a device."""

_VALUES = {
    "os.environ.get": 1,
    "os.environ.setdefault": 1,
    "os.getenv": 1,
    "builtins.getattr": 2,
    "builtins.setattr": 2,
}
"""The first argument that is a value, of those that take one beside the name of something."""

_DEVICE_STRING = "XP103"
_OTHER_DEVICES = frozenset({"cpu", "mps", "xpu", "npu", "hpu", "hip"})


class DeviceText(Rule):
    """Report a text that may name a CUDA device.

    ## What it does
    Looks, after all other rules, at each "cuda" or "cuda:0" that none of them spoke of, and reports those that
    stand where a device may come from: a value that is kept, passed on, returned or compared. What is printed,
    logged, or the key of a dict is left alone, unless that is a table by kind of device.

    ## Why
    A text that reaches a device somewhere else asks for an NVIDIA GPU there. A comparison with "cuda" is false on
    XLA, where the type of a device is "xla".

    ## Example
        devices = ["cpu"] + ["cuda"]
        colors = {"cuda": "green"}

    is reported for the first line, not for the second. If the list is one of devices, write

        devices = ["cpu"] + ["xla"]
        colors = {"cuda": "green"}

    ## When it is wrong
    Where the text is the name of something else.

    ## When it is left alone
    Texts for people, and texts of libraries that do not mean torch's devices.

    ## Sources
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html

    ## Related
    XP103, XP802, XP806.
    """

    code = "XP111"
    name = "device-text"
    summary = 'texts that say "cuda" and may name a device'
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    residual = True
    words = ("cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each text that no rule spoke of."""
        for node in context.module.nodes:
            if not isinstance(node, ast.expr) or not cuda.is_cuda_string(node) or self._is_part(context, node):
                continue
            if context.is_spoken_of(node) or self._is_no_device(context, node) or self._is_never_read(context, node):
                continue
            if _DEVICE_STRING not in context.codes and context.flow.reach(node).sinks:
                continue  # that rule's, which was not chosen for this run
            yield self.finding(context.place(node), self._said(context, node))

    def _said(self, context: Context, node: ast.expr) -> Text:
        text = one_line(context, node)
        parent = context.module.parents[node]
        if isinstance(parent, ast.Dict) and node in parent.keys:
            return say("XP111.table", text=text)
        other = self._known_device(context, parent, node)
        if other is not None:
            return say("XP111.known", text=text, other=one_line(context, other))
        if isinstance(parent, ast.Compare | ast.MatchValue) or self._asks_for_beginning(parent):
            return say("XP111.compared", text=text)
        return say("XP111.value", text=text)

    def _known_device(self, context: Context, parent: ast.AST, node: ast.expr) -> ast.expr | None:
        """``device`` of ``device == "cuda"``, where it is the name of the XLA device."""
        if not isinstance(parent, ast.Compare) or len(parent.comparators) != 1:
            return None
        other = parent.left if parent.comparators[0] is node else parent.comparators[0]
        value = context.names.assigned(other) if isinstance(other, ast.Name) else None
        return other if isinstance(value, ast.Constant) and value.value == context.target.device_type else None

    def _is_part(self, context: Context, node: ast.expr) -> bool:
        """The "cuda:" of a larger text, which is looked at as a whole."""
        parent = context.module.parents[node]
        return isinstance(parent, ast.JoinedStr | ast.Attribute) or (
            isinstance(parent, ast.expr) and cuda.is_cuda_string(parent)
        )

    def _is_no_device(self, context: Context, node: ast.expr) -> bool:
        parent = context.module.parents[node]
        if isinstance(parent, ast.FormattedValue) or is_for_people(context, node) or self._is_export(context, node):
            return True
        if is_key(context, node):
            return not (isinstance(parent, ast.Dict) and self._is_by_device(context, parent))
        if isinstance(parent, ast.BinOp):
            return True  # a part of a longer text
        if isinstance(parent, ast.Compare):
            # `"cuda" in text` searches a text; in a list of names of devices it is one of them.
            return isinstance(parent.ops[0], ast.In | ast.NotIn) and not self._speaks_of_device(context, parent)
        if isinstance(parent, ast.Call) and node in parent.args:
            if self._asks_for_beginning(parent):
                return not self._speaks_of_device(context, parent)
            searches = isinstance(parent.func, ast.Attribute) and parent.func.attr in _SEARCHING
            called = context.resolve(parent.func) or ""
            if called in _VALUES:
                return parent.args.index(node) < _VALUES[called]
            return searches or called.startswith(_NO_DEVICES)
        return False

    def _is_never_read(self, context: Context, node: ast.expr) -> bool:
        """Whether a function gives a text to a name of its own that nobody reads."""
        value: ast.AST = node
        while isinstance(parent := context.module.parents[value], ast.IfExp):
            value = parent
        if not isinstance(parent, ast.Assign) or not all(isinstance(t, ast.Name) for t in parent.targets):
            return False
        homes = [(context.names.home(t), t.id) for t in parent.targets if isinstance(t, ast.Name)]
        return all(
            home is not None and isinstance(home.node, FunctionNode) and not context.names.uses(home, name)
            for home, name in homes
        )

    def _asks_for_beginning(self, node: ast.AST) -> bool:
        """``device.startswith("cuda")``"""
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _COMPARING

    def _is_export(self, context: Context, node: ast.expr) -> bool:
        statement = context.module.statement(node)
        return isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__"

    def _is_by_device(self, context: Context, table: ast.Dict) -> bool:
        """Whether a dict has an entry for each kind of device, and none for XLA's."""
        keys = {key.value for key in table.keys if isinstance(key, ast.Constant)}
        return bool(keys & _OTHER_DEVICES) and context.target.device_type not in keys

    def _speaks_of_device(self, context: Context, node: ast.AST) -> bool:
        return "device" in context.module.segment(node).lower()
