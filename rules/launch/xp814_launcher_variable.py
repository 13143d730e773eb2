"""XP814: CUDA's environment variables in a launcher."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import Assignment, Command, commands
from xlaport.documents.document import LAUNCHERS, Document, Kind
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Replace, Span
from xlaport.target import Target

from .._lib.launch.naming import BUILD_VARIABLE, VARIABLE
from .._lib.launch.saying import say

_NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{2,}")


class LauncherVariable(DocumentRule):
    """Drop the environment variables that only CUDA and NCCL read.

    ## What it does
    Reports `CUDA_VISIBLE_DEVICES`, `PYTORCH_CUDA_ALLOC_CONF`, `NCCL_*` and the like where a shell script, a Makefile
    or a Dockerfile sets them. With `--unsafe` one before a command is removed.

    ## Why
    Nothing reads them on a TPU. Where they choose GPUs, a TPU needs another choice: each process has one chip, and
    `TPU_VISIBLE_CHIPS` says which chips there are.

    ## Example
        CUDA_VISIBLE_DEVICES=0,1 python train.py

    becomes, with `--unsafe`,

        python train.py

    ## When it is wrong
    Where the launcher must start the same program on GPUs, too; then they may stay. An empty `CUDA_VISIBLE_DEVICES` or
    `-1` means the CPU: that is `PJRT_DEVICE=CPU` now, and it is not rewritten.

    ## When it is left alone
    Comments, what is printed or written to another file, search paths such as `LD_LIBRARY_PATH`, and names that only
    end alike.

    ## Sources
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP805, XP813, XP910.
    """

    code = "XP814"
    name = "launcher-variable"
    summary = "CUDA_VISIBLE_DEVICES and NCCL_* go from a launcher"
    applicability = Applicability.UNSAFE
    harm = Harm.LEFTOVER
    words = ("CUDA", "NCCL", "CUBLAS", "NVIDIA", "ALLOC_CONF", "CUDNN")
    kinds = LAUNCHERS

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each variable that is set."""
        found = commands(document)
        given = {assignment.span.start for command in found for assignment in command.assignments}
        for command in found:
            yield from (f for f in self._readers(document, command) if f.span.start not in given)
            for assignment in command.assignments:
                if VARIABLE.fullmatch(assignment.name):
                    yield self._variable(document, command, assignment)
                elif BUILD_VARIABLE.fullmatch(assignment.name) and assignment.value != "0":
                    yield self.finding(assignment.span, say("XP814.build", name=assignment.name))

    def _readers(self, document: Document, command: Command) -> Iterator[Finding]:
        """Words that read or drop a variable, or hand it on: ``$CUDA_VISIBLE_DEVICES``, ``unset NCCL_DEBUG``."""
        spans = [a.value_span for a in command.assignments if VARIABLE.fullmatch(a.name) is None]
        spans += [word.span for word in command.words if command.program not in ("echo", "printf")]
        for span in spans:
            for match in _NAME.finditer(document.text, span.start, span.end):
                if VARIABLE.fullmatch(match[0]):
                    yield self.finding(Span(match.start(), match.end()), say("XP814.reader", name=match[0]))
                    break

    def _variable(self, document: Document, command: Command, assignment: Assignment) -> Finding:
        name, source = assignment.name, document.text
        if name == "CUDA_VISIBLE_DEVICES" and assignment.value in ("", "-1"):
            return self.finding(assignment.span, say("XP814.cpu"))
        if name in ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"):
            text = say("XP814.chips", name=name)
        elif name == "CUDA_LAUNCH_BLOCKING":
            text = say("XP814.blocking")
        else:
            text = say("XP812.variable", name=name)
        behind = assignment.span.end
        while source[behind : behind + 1] in (" ", "\t"):
            behind += 1
        is_prefix = (
            document.kind is not Kind.MAKE or "\t" in source[: assignment.span.start].rpartition("\n")[2]
        ) and not assignment.exported
        # Where processes run side by side, or the value is computed, each has its own GPUs: that needs thought.
        alone = assignment.value is not None and not re.search(r"(?<!&)&[ \t]*(?:#.*)?$", source, re.MULTILINE)
        # Only where the command follows on the same line, and nothing else asks for the variable.
        if (
            is_prefix
            and alone
            and command.words
            and source[behind : behind + 1] not in ("\\", "\r", "\n", "")
            and not any(mark + name in source for mark in ("$", "${", "${!"))
            and assignment.span.end < command.words[0].span.start
        ):
            return self.finding(assignment.span, text, Replace(Span(assignment.span.start, behind), ""))
        return self.finding(assignment.span, text)
