"""XP811: a CUDA device in a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xlaport.documents.document import CONFIGURATIONS, Document, Kind
from xlaport.documents.entries import entries
from xlaport.documents.entry import Entry
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Replace, Span, Trait
from xlaport.target import Target

from .._lib.launch.naming import CUDA, is_device, plain
from .._lib.launch.saying import say

_LIKE_ENTRY = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*)[\"']?[ \t]*[:=][ \t]*[\"']?(cuda(?::\d+)?)(?![\w:./-])")
_OPTION = re.compile(r"(?<!\S)--?([A-Za-z][\w.-]*)(?:=|[ \t]+)(cuda(?::\d+)?)(?!\S)")


class ConfigDevice(DocumentRule):
    """Name the TPU where a configuration names a CUDA device.

    ## What it does
    Reports `cuda` and `cuda:0` as the value of a key that means a device (`device`, `*_device`, `map_location` …) in
    YAML, JSON, TOML and INI files. With `--unsafe` the value becomes `xla`; Lightning's `accelerator: gpu` becomes
    `tpu`. Everything else in the file stays as it is.

    ## Why
    The Python files are converted, but the configuration still passes them `cuda`. `torch.device("xla")` works after
    `import torch_xla`.

    ## Example
        trainer:
          device: cuda:0  # or cpu

    becomes, with `--unsafe`,

        trainer:
          device: xla  # or cpu

    ## When it is wrong
    Where the program does not pass the value to torch but compares it (`if cfg.device == "cuda"`), or accepts only
    certain names: look at the code that reads the key. Where the same file must still serve GPUs, keep both files.
    Lists of several devices, and records in JSON lists, are not rewritten.

    ## When it is left alone
    Keys that do not mean a device, texts and comments that mention one, lists of records, files that cannot be parsed,
    and the metadata of a Python project.

    ## Sources
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html

    ## Related
    XP103, XP812, XP813.
    """

    code = "XP811"
    name = "config-device"
    summary = "`device: cuda` in a configuration is xla"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    words = ("cuda", "gpu")
    kinds = CONFIGURATIONS

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each device."""
        before: Entry | None = None
        found = entries(document)
        yield from self._outside(document, found, target)
        for entry in found:
            option, before = before, entry
            if document.kind is Kind.JSON and entry.is_in_record:
                continue  # data, most of the time
            if entry.is_item and option is not None and option.keys == entry.keys and CUDA.fullmatch(entry.value):
                if option.value.startswith("-") and is_device(option.value.lstrip("-")):  # [--device, cuda]
                    yield self._rewritten(entry.span, entry.inner, entry.value, target)
                    continue
            yield from self._options(entry, target)
            if CUDA.fullmatch(entry.value):
                yield from self._device(entry, target)
            elif entry.value == "gpu" and not entry.is_item:
                yield from self._gpu(entry, target)
            elif entry.value == "cuda" and plain(entry.key) == "accelerator":
                yield from self._gpu(entry, target)

    def _outside(self, document: Document, found: Sequence[Entry], target: Target) -> Iterator[Finding]:
        """Options in texts over several lines; where the file cannot be read, keys too, and nothing is rewritten."""
        held = [entry.span for entry in found]
        for match in _OPTION.finditer(document.text):
            place = Span(match.start(2), match.end(2))
            if is_device(match[1]) and not any(s.contains(place) for s in held) and not _is_comment(document, place):
                yield self._rewritten(place, place if found else None, match[2], target)
        for match in _LIKE_ENTRY.finditer(document.text) if not found else ():
            place = Span(match.start(2), match.end(2))
            if is_device(match[1]) and not _is_comment(document, place):
                yield self.finding(place, say("XP811.unread", kind=document.kind.value, device=target.device_type))

    def _device(self, entry: Entry, target: Target) -> Iterator[Finding]:
        if plain(entry.key) == "accelerator":
            yield from self._gpu(entry, target)
        elif not is_device(entry.key):
            if ":" in entry.value:
                yield self.finding(entry.span, say("XP811.other", value=entry.value, device=target.device_type))
        elif entry.is_item:
            yield self.finding(entry.span, say("XP811.list", value=entry.value, device=target.device_type))
        else:
            yield self._rewritten(entry.span, entry.inner, entry.value, target)

    def _options(self, entry: Entry, target: Target) -> Iterator[Finding]:
        """The ``--device cuda`` in a command that a configuration holds."""
        for match in _OPTION.finditer(entry.value):
            if is_device(match[1]):
                place = Span(entry.inner.start + match.start(2), entry.inner.start + match.end(2))
                yield self._rewritten(place, place, match[2], target)

    def _rewritten(self, span: Span, inner: Span | None, value: str, target: Target) -> Finding:
        edits = [Replace(inner, target.device_type)] if inner is not None else []
        return self.finding(span, say("XP811.device", value=value, device=target.device_type), *edits)

    def _gpu(self, entry: Entry, target: Target) -> Iterator[Finding]:
        key = plain(entry.key)
        if key == "accelerator":
            edits = [Replace(entry.inner, "tpu")] if target.is_a(Trait.LIBRARY_SUPPORT) else []
            yield self.finding(entry.span, say("XP811.accelerator", value=entry.value), *edits)
        elif is_device(key):
            yield self.finding(entry.span, say("XP811.gpu"))


def _is_comment(document: Document, place: Span) -> bool:
    line = document.text[document.starts[document.position(place.start)[0] - 1] : place.start]
    return document.kind is not Kind.JSON and re.search(r"(?:^|\s)[#;]", line) is not None
