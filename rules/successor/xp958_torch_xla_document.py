"""XP958: launchers and requirements of torch_xla."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.commands import commands
from xlaport.documents.document import LAUNCHERS, Document, Kind
from xlaport.documents.requirements import requirements
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Replace, Span, Trait
from xlaport.target import Target

from .._lib.successor.answers import told, variable
from .._lib.successor.saying import say

_WRITTEN = re.compile(
    r"torch(?:[_-]xla)?(?:\[\w+\])?(?:[ \t]*,?[ \t]*(?:===?|~=|[<>!]=|[<>])[ \t]*[\w.*+!-]+)*", re.IGNORECASE
)
_PACKAGES = ("torch", "torch-xla")
"""What the target's own packages take the place of."""
_MODULE = re.compile(r"torch_xla(\.\w+)+")


class TorchXlaDocument(DocumentRule):
    """Ask for the successor, and start without torch_xla.

    ## What it does
    Writes torch_tpu for `torch_xla[tpu]`, and the torch that goes with it, where packages are asked for. Reports the
    variables of torch_xla that a launcher sets (`PJRT_DEVICE`, `XLA_USE_BF16`), and torch_xla's own launcher.

    ## Why
    torch_tpu needs another torch than torch_xla, and both in one process claim the TPU.

    ## Example
        torch~=2.9.0
        torch_xla[tpu]~=2.9.0

    becomes

        torch~=2.13.0
        torch_tpu~=0.2.0

    ## When it is wrong
    Where other programs of the project still run with torch_xla.

    ## When it is left alone
    `XLA_FLAGS` and `LIBTPU_INIT_ARGS`, which are read as before.

    ## Sources
    - Read from the metadata of torch_tpu 0.2.0: the table `rules/successor/answers.toml`.

    ## Related
    XP816, XP910, XP957.
    """

    code = "XP958"
    name = "torch-xla-document"
    summary = "requirements and launchers that speak of torch_xla"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla", "torch-xla", "PJRT_", "XLA_", "XRT_", "NUM_DEVICES")
    kinds = (Kind.REQUIREMENTS, Kind.TOML, Kind.INI, Kind.YAML, *LAUNCHERS)

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each package, variable and start."""
        found = requirements(document)
        news = dict(zip(_PACKAGES, target.machine.requirements, strict=True))
        for requirement in found if any(r.name == _PACKAGES[1] for r in found) else ():
            if (new := news.get(requirement.name)) is not None:
                match = _WRITTEN.match(document.text, requirement.span.start)
                is_whole = match is not None and match.end() >= requirement.span.end
                edits = [Replace(Span(match.start(), match.end()), new)] if match is not None and is_whole else []
                said = say("XP958.requirement", old=requirement.name, new=new)
                yield self.finding(requirement.span, said, *edits)
        for command in commands(document) if document.kind in LAUNCHERS else ():
            for assignment in command.assignments:
                answer = variable(assignment.name)
                if answer is not None:
                    said = say("XP958.variable", name=assignment.name, **told(answer))
                    yield self.finding(assignment.span, said)
            for word in command.words if command.runs else ():
                if _MODULE.fullmatch(word.value or ""):
                    yield self.finding(word.span, say("XP958.module", name=word.value))
