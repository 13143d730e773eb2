"""Whether the items of a data set have one length before a collator gets them: texts padded to a maximum."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.module import last_name, walk_block
from xlaport.facts.origins import Found, Origins
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.spot import Spot
from xlaport.facts.structure import CallSite, Function
from xlaport.facts.vocabulary import DATASET_WRAPPERS, LOADERS

_TAKING = frozenset({"dataset", "train_dataset", "eval_dataset"})
"""The parameters that take what is iterated: of a DataLoader, and of a Trainer."""
_COMPUTING = frozenset({"map", "with_transform"})
"""Methods of a data set of Hugging Face whose function makes the items."""
_SELECTING = frozenset(
    "filter shuffle select train_test_split remove_columns select_columns rename_column rename_columns with_format "
    "flatten_indices take skip shard sort cast cast_column class_encode_column add_column repeat".split()
)
"""Those that leave each item as long as it is."""
_JOINING = DATASET_WRAPPERS | {"datasets.concatenate_datasets", "datasets.interleave_datasets"}
_TOKENIZERS = frozenset({"tokenizer", "tokeniser", "processor"})
_TOKENIZING = frozenset({"encode", "encode_plus", "batch_encode_plus", "apply_chat_template"})
_PARTIAL = "functools.partial"
_UNCUT = (False, None, "do_not_truncate")
_MAX_DEPTH = 8
_MAX_CALLS = 3


def have_one_length(context: Context, data: Iterable[Spot]) -> bool:
    """Whether all items of some data sets are texts that were padded and cut to a maximum before they are batched."""
    items = _Items(context)
    found = [items.are_fixed(spot.facts, spot.node, 0) for spot in data]
    return bool(found) and all(found)


def data_of(site: CallSite) -> list[Spot]:
    """The data sets that a call takes which makes a loader or a Trainer."""
    call = site.node
    found = [Spot(site.facts, k.value) for k in call.keywords if k.arg in _TAKING and not is_none(k.value)]
    is_loader = site.facts.names.resolve(call.func) in LOADERS
    return found + ([Spot(site.facts, call.args[0])] if is_loader and call.args else [])


class _Data(Origins):
    """Where data sets come from: a part of one, ``data["train"]``, is made by what makes the whole."""

    def _of(self, facts: Facts, node: ast.expr, depth: int) -> Found:
        if not isinstance(node, ast.Subscript):
            return super()._of(facts, node, depth)
        wholes = super()._of(facts, node.value, depth + 1)
        found: list[Spot] = []
        for whole in wholes or ():
            parts = _displayed(whole.node, node.slice)
            for part in parts:
                more = self._of(whole.facts, part, depth + 1)
                if more is None:
                    return None
                found += more
            found += [] if parts else [whole]
        return found if wholes is not None else None


def _displayed(node: ast.expr, key: ast.expr) -> list[ast.expr]:
    """The values that a dict on display has for a key; all of them where it cannot be told which."""
    if not isinstance(node, ast.Dict):
        return []
    items = [(k, value) for k, value in zip(node.keys, node.values, strict=True) if k is not None]
    return [value for k, value in items if ast.dump(k) == ast.dump(key)] or [value for _, value in items]


class _Items:
    """Follows data sets back to what made their items."""

    def __init__(self, context: Context) -> None:
        self.structure = context.flow.structure
        self.origins = Origins(self.structure)
        self.data = _Data(self.structure)

    def are_fixed(self, facts: Facts, node: ast.expr, depth: int) -> bool:
        """Whether all items of a data set have one length."""
        found = self.data.of(facts, node) if depth <= _MAX_DEPTH else None
        return bool(found) and all(self._is_made_fixed(spot, depth + 1) for spot in found or ())

    def _is_made_fixed(self, spot: Spot, depth: int) -> bool:
        facts, call = spot.facts, spot.node
        if not isinstance(call, ast.Call):
            return False
        if facts.names.resolve(call.func) in _JOINING and call.args:
            first = call.args[0]
            parts = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
            return all(self.are_fixed(facts, part, depth) for part in parts)
        owner = self.structure.class_named(facts, call.func)
        if owner is not None:
            methods = (self.structure.method(owner, name) for name in ("__init__", "__getitem__"))
            tokenizing = [c for method in methods if method is not None for c in self._inside(method, 0)]
            return bool(tokenizing) and all(self._pads_to_maximum(c) for c in tokenizing)
        if not isinstance(call.func, ast.Attribute):
            return False
        if call.func.attr in _COMPUTING:
            given = [k.value for k in call.keywords if k.arg in ("function", "transform")] or call.args[:1]
            tokenizing = [c for function in given for c in self._in_function(facts, function, 0)]
            if tokenizing:
                return all(self._pads_to_maximum(c) for c in tokenizing)
        elif call.func.attr not in _SELECTING:
            return False
        return self.are_fixed(facts, call.func.value, depth)

    # -- what tokenizes --------------------------------------------------------------------------------

    def _in_function(self, facts: Facts, node: ast.expr, depth: int) -> Iterator[CallSite]:
        """The calls of tokenizers in what is given as a function."""
        if depth > _MAX_CALLS:
            return
        if isinstance(node, ast.Lambda):
            yield from self._among(facts, ast.walk(node.body), depth)
        elif isinstance(node, ast.Call) and facts.names.resolve(node.func) == _PARTIAL and node.args:
            yield from self._in_function(facts, node.args[0], depth + 1)
        elif isinstance(node, ast.Name | ast.Attribute):
            function = self.structure.function_named(facts, node)
            if function is not None:
                yield from self._inside(function, depth + 1)
                return
            for spot in self.origins.of(facts, node) or ():
                if spot.node is not node:
                    yield from self._in_function(spot.facts, spot.node, depth + 1)

    def _inside(self, function: Function, depth: int) -> Iterator[CallSite]:
        yield from self._among(function.facts, walk_block(function.node.body), depth)

    def _among(self, facts: Facts, nodes: Iterable[ast.AST], depth: int) -> Iterator[CallSite]:
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            called = self.structure.run_by(facts, node)
            if called is not None and depth < _MAX_CALLS:
                yield from self._inside(called, depth + 1)
            elif called is None and _tokenizes(node):
                yield CallSite(facts, node)

    # -- how -------------------------------------------------------------------------------------------

    def _pads_to_maximum(self, site: CallSite) -> bool:
        """``tokenizer(texts, padding="max_length", truncation=True)``."""
        given = {k.arg: k.value for k in site.node.keywords}
        if None in given or "padding" not in given or "truncation" not in given:
            return False
        paddings = self.origins.of(site.facts, given["padding"])
        cuts = self.origins.of(site.facts, given["truncation"])
        return (
            bool(paddings)
            and bool(cuts)
            and all(_is_maximum(spot) for spot in paddings or ())
            and all(isinstance(c.node, ast.Constant) and c.node.value not in _UNCUT for c in cuts or ())
        )


def _is_maximum(spot: Spot) -> bool:
    node = spot.node
    if isinstance(node, ast.Constant):
        return bool(node.value == "max_length")
    return (spot.facts.names.resolve(node) or "").endswith("PaddingStrategy.MAX_LENGTH")


def _is_tokenizer(node: ast.expr) -> bool:
    """``tokenizer``, ``self.tokenizer``, ``bert_tokenizer``: by its name, as it comes from a library."""
    return (last_name(node) or "").lower().rpartition("_")[2] in _TOKENIZERS


def _tokenizes(call: ast.Call) -> bool:
    names = {k.arg for k in call.keywords}
    if isinstance(call.func, ast.Attribute) and call.func.attr in _TOKENIZING and _is_tokenizer(call.func.value):
        # A chat template may also give a text.
        return not any(k.arg == "tokenize" and isinstance(k.value, ast.Constant) and not k.value.value
                       for k in call.keywords)  # fmt: skip
    return ("padding" in names and "truncation" in names) or _is_tokenizer(call.func)
