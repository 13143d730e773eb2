"""XP828: a notebook that asks for a GPU."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.document import Document, Kind
from xlaport.rule import Applicability, DocumentRule, Finding, Harm, Span
from xlaport.target import Target

from .._lib.launch.saying import say

# As Colab ("GPU", and a gpuType beside it) and Kaggle ("gpu", "nvidiaTeslaT4", isGpuEnabled) write it. In an output,
# the quotes would be escaped.
_ASKED = re.compile(
    r'(?<!\\)"(?:accelerator"\s*:\s*"(?P<asked>GPU|gpu|nvidia\w*)"|isGpuEnabled"\s*:\s*true\b|gpuType"\s*:\s*"\w+")'
)


class NotebookAccelerator(DocumentRule):
    """Report that a notebook asks Colab or Kaggle for a GPU.

    ## What it does
    Reports the entry in the metadata of a notebook that names a GPU as its accelerator. Once for each notebook.

    ## Why
    Colab and Kaggle open the notebook on the machine that the metadata names, and a machine with a GPU has no TPU.

    ## Example
        "metadata": {"accelerator": "GPU", "colab": {"gpuType": "T4"}}

    becomes

        "metadata": {"accelerator": "TPU", "colab": {}}

    ## When it is wrong
    Where the notebook stays on a GPU. Nothing is rewritten: the site writes the entry when you choose the machine.

    ## When it is left alone
    Notebooks whose accelerator is a TPU, also with the type of an earlier GPU, and such words in code and outputs.

    ## Sources
    - Read in the source of public notebooks that Colab and Kaggle saved, nbformat 4.0 and later.

    ## Related
    XP815, XP816, XP829.
    """

    code = "XP828"
    name = "notebook-accelerator"
    summary = "a notebook asks Colab or Kaggle for a GPU"
    applicability = Applicability.MANUAL
    harm = Harm.LEFTOVER
    words = ('"accelerator"', '"isGpuEnabled"', '"gpuType"')
    kinds = (Kind.NOTEBOOK,)

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding, at the first entry."""
        asked = _ASKED.search(document.text)
        # A notebook for TPUs may still have the type of the GPU that it had before.
        if asked is None or re.search(r'(?<!\\)"accelerator"\s*:\s*"(?i:tpu)', document.text) is not None:
            return
        yield self.finding(Span(asked.start(), asked.end()), say("XP828.asks"))
