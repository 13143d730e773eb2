"""XP910: launchers of old torch_xla."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import commands
from xlaport.documents.document import LAUNCHERS, Document
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Trait
from xlaport.target import Target

from .._lib.legacy import old_variables
from .._lib.legacy.lifetimes import module_absence
from .._lib.legacy.upgrades import advised

_MODULE = re.compile(r"torch_xla(\.\w+)+")


class OldLauncher(DocumentRule):
    """Report what in a launcher is for an old torch_xla.

    ## What it does
    Reports `XRT_TPU_CONFIG`, `XLA_USE_BF16`, `TPU_NUM_DEVICES` and the other variables of the old runtime where a
    shell script, a Makefile or a Dockerfile sets them, a `PJRT_DEVICE` that is removed, and the `xla_dist` launcher.

    ## Why
    The old runtime (XRT) is removed, with its configuration and its launcher; `XLA_USE_BF16` changes the type of every
    tensor, and the code does not show it.

    ## Example
        export XRT_TPU_CONFIG="localservice;0;localhost:51011"
        python train.py

    is reported: today's runtime, PJRT, finds the TPU by itself, or is told:

        export PJRT_DEVICE=TPU
        python train.py

    ## When it is wrong
    Where the launcher also starts programs with an older torch_xla.

    ## When it is left alone
    Variables that torch_xla 2.9 reads (`PJRT_DEVICE=TPU`, `XLA_FLAGS`), and what is only printed.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP906, XP814, XP815.
    """

    code = "XP910"
    name = "old-torch-xla-launcher"
    summary = "launchers that set XRT_TPU_CONFIG, XLA_USE_BF16 or run xla_dist"
    applicability = Applicability.MANUAL
    harm = Harm.LEFTOVER
    traits = (Trait.OLDER_NAMES,)
    words = ("XRT_", "XLA_USE", "XLA_DOWNCAST", "XLA_TENSOR", "NUM_DEVICES", "PJRT_", "COLAB_TPU", "TPU_", "xla_dist")
    kinds = LAUNCHERS

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each variable and each start of the old launcher."""
        for command in commands(document):
            for assignment in command.assignments:
                variable = old_variables.find(assignment.name, target)
                gone = assignment.name == "PJRT_DEVICE" and old_variables.gone_kind(assignment.value or "", target)
                if variable is not None:
                    yield self.finding(assignment.span, variable.text(assignment.name, target))
                elif gone:
                    yield self.finding(assignment.span, gone)
            for word in command.words if command.runs else ():
                name = word.value or ""
                missing = module_absence(name, target) if _MODULE.fullmatch(name) else None
                if missing is not None:
                    yield self.finding(word.span, advised(missing, name, target))
