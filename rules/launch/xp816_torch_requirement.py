"""XP816: torch is asked for, and torch_xla is not."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.documents.document import Document, Kind
from xlaport.documents.requirements import Requirement, requirements
from xlaport.rule import Applicability, DocumentRule, Finding, Harm
from xlaport.target import Target

from .._lib.launch.saying import say


class TorchRequirement(DocumentRule):
    """Report that torch and torch_xla must be installed as a pair.

    ## What it does
    Reports where requirements files, `pyproject.toml`, `setup.cfg`, conda environments and install commands ask for
    torch, unless they ask for torch_xla of the same minor version too. Once for each file.

    ## Why
    A torch_xla works with one minor version of torch: with another one its import fails. With torch alone, or with
    both left open, pip takes the newest of each.

    ## Example
        torch==2.1.0
        torchvision

    is reported. A pair that fits:

        torch~=2.9.0
        torch_xla[tpu]~=2.9.0
        torchvision

    ## When it is wrong
    Where the file is for machines without a TPU. Nothing is rewritten: the versions are yours to choose.

    ## When it is left alone
    A matching pair of torch and torch_xla, of any version; packages with torch in their name; settings of tools.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP817.
    """

    code = "XP816"
    name = "torch-requirement"
    summary = "torch and torch_xla are asked for as a pair"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    words = ("torch",)
    kinds = (Kind.REQUIREMENTS, Kind.TOML, Kind.INI, Kind.YAML, Kind.SHELL, Kind.MAKE, Kind.DOCKER)

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding, at the first torch that is asked for."""
        found = requirements(document)
        torches = [r for r in found if r.name in ("torch", "pytorch", "pytorch-gpu")]
        companions = [r for r in found if r.name == "torch-xla"]
        if not torches:
            return
        if not companions:
            yield self.finding(torches[0].span, say("XP816.alone", version=target.version))
        elif not _match(torches[0], companions[0]):
            yield self.finding(torches[0].span, say("XP816.pair", version=target.version))


def _match(torch: Requirement, companion: Requirement) -> bool:
    return torch.minor is not None and torch.minor == companion.minor
