"""XP813: a CUDA device on a command line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import Assignment, Command, commands, options
from xlaport.documents.document import LAUNCHERS, Document
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Replace, Span
from xlaport.target import Target

from .._lib.launch.naming import CUDA, is_device, plain
from .._lib.launch.programs import NOT_RUNNING
from .._lib.launch.saying import say

_OVERRIDE = re.compile(r"([+~]{0,2}[A-Za-z_][\w.-]*)=(.*)")
_DEFAULT = re.compile(r"\$\{(\w+):?[-=](cuda(?::\d+)?)\}")
_COMPARING = frozenset({"[", "[[", "test", "case"})


class LauncherDevice(DocumentRule):
    """Name the TPU where a command line names a CUDA device.

    ## What it does
    Reports `--device cuda`, `--device=cuda:0`, overrides such as `model.device=cuda`, and variables such as
    `DEVICE=cuda`, in shell scripts, Makefiles and Dockerfiles. With `--unsafe` the value becomes `xla`, and
    Lightning's `--accelerator gpu` becomes `tpu`.

    ## Why
    The program is converted, but its launcher still passes it `cuda`. `torch.device("xla")` works after
    `import torch_xla`.

    ## Example
        python train.py --device cuda --epochs 10

    becomes, with `--unsafe`,

        python train.py --device xla --epochs 10

    ## When it is wrong
    Where the program accepts only certain names, or compares the value with `"cuda"`: look at the code that reads
    the option. A variable that the script itself compares with cuda is not rewritten.

    ## When it is left alone
    What is printed or written to another file, comments, options of another meaning (`--name cuda`), and paths.

    ## Sources
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html

    ## Related
    XP103, XP811, XP815.
    """

    code = "XP813"
    name = "launcher-device"
    summary = "`--device cuda` on a command line is xla"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    words = ("cuda", "gpu")
    kinds = LAUNCHERS

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each device."""
        found = commands(document)
        compares = any(c.program in _COMPARING and any("cuda" in w.text for w in c.words) for c in found)
        for command in found:
            for assignment in command.assignments:
                if is_device(assignment.name) and CUDA.fullmatch(assignment.value or ""):
                    yield self._variable(assignment, compares, target)
                elif is_device(assignment.name) and _is_numbered(document, assignment.value_span):
                    yield self._numbered(assignment.value_span, target)
            others = {"cpu", "mps", "xpu"} & {word.value for word in command.words}
            if command.program == "for" and len(command.words) > 1 and (others or is_device(command.words[1].text)):
                for word in command.words[2:]:
                    if CUDA.fullmatch(word.value or ""):
                        yield self.finding(word.span, say("XP813.loop", value=word.value, device=target.device_type))
            yield from self._defaults(document, command, compares, target)
            if command.runs and command.program not in NOT_RUNNING | _COMPARING:
                yield from self._words(document, command, target)

    def _words(self, document: Document, command: Command, target: Target) -> Iterator[Finding]:
        for option in options(command):
            if option.value_span is None:
                continue
            if CUDA.fullmatch(option.value or "") and is_device(option.name):
                yield self._device(option.value or "", option.value_span, target)
            elif is_device(option.name) and _is_numbered(document, option.value_span):
                yield self._numbered(option.value_span, target)
            elif option.value in ("gpu", "cuda") and plain(option.name) == "accelerator":
                yield self._accelerator(option.value, option.value_span)
        for word, following in zip(command.words, (*command.words[1:], None), strict=False):
            match = _OVERRIDE.fullmatch(word.value or "")
            if match is not None and (CUDA.fullmatch(match[2]) and is_device(match[1])):
                end = word.inner.end
                yield self._device(match[2], Span(end - len(match[2]), end), target)
            elif match is not None and match[2] in ("gpu", "cuda") and plain(match[1]) == "accelerator":
                end = word.inner.end
                yield self._accelerator(match[2], Span(end - len(match[2]), end))
            elif following is not None and re.fullmatch(r"[A-Z]\w*(\.[A-Z]\w*)*\.DEVICE", word.text):
                if CUDA.fullmatch(following.value or ""):  # detectron2: MODEL.DEVICE cuda
                    yield self._device(following.value or "", following.inner, target)

    def _device(self, value: str, span: Span, target: Target) -> Finding:
        text = say("XP811.device", value=value, device=target.device_type)
        return self.finding(span, text, Replace(span, target.device_type))

    def _numbered(self, span: Span, target: Target) -> Finding:
        return self.finding(span, say("XP813.numbered", device=target.device_type))

    def _accelerator(self, value: str, span: Span) -> Finding:
        return self.finding(span, say("XP811.accelerator", value=value), Replace(span, "tpu"))

    def _variable(self, assignment: Assignment, compares: bool, target: Target) -> Finding:
        span = assignment.value_span
        if compares:
            return self.finding(span, say("XP813.compared", name=assignment.name, device=target.device_type))
        return self._device(assignment.value or "", span, target)

    def _defaults(self, document: Document, command: Command, compares: bool, target: Target) -> Iterator[Finding]:
        """The ``${DEVICE:-cuda}`` of a command."""
        spans = [word.span for word in command.words if command.program not in NOT_RUNNING | _COMPARING]
        spans += [a.span for a in command.assignments if a.span not in spans]
        for span in spans:
            for match in _DEFAULT.finditer(document.text, span.start, span.end):
                if is_device(match[1]):
                    place = Span(match.start(2), match.end(2))
                    yield self._variable(Assignment(match[1], match[2], place, place), compares, target)


def _is_numbered(document: Document, span: Span) -> bool:
    """Whether a value is a CUDA device with a computed number, such as ``cuda:$RANK``."""
    return re.fullmatch(r"cuda:[$`].*", document.text[span.start : span.end]) is not None
