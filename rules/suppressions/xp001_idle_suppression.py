"""XP001: a comment that ignores nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.rule import Applicability, Finding, Harm, SuppressionRule
from xlaport.suppressions.judged import Judged

from .._lib.suppressions.saying import say


class IdleSuppression(SuppressionRule):
    """Report comments that ignore what is not found.

    ## What it does
    Reports a `# xlaport: ignore[...]` on a line (or statement) where no rule with one of its codes finds anything. It
    is judged only where all the rules that it names have looked: with `--select XP1`, an `ignore[XP3]` is not idle.

    ## Why
    Such a comment is left over from code that has changed, or its code is mistyped, or it is on another line than the
    finding. It would hide what is found there later.

    ## Example
        import torch
        x = torch.ones(3)  # xlaport: ignore[XP104]

    Without it:

        import torch
        x = torch.ones(3)

    ## When it is wrong
    Where a rule finds something with another `--target` only: ignore this rule for the file, with `per-file-ignores`.

    ## When it is left alone
    A comment whose code finds something there, and one whose rule did not look: one that is not selected, or that
    `per-file-ignores` keeps from the file.

    ## Sources
    - The codes that there are: `rules/README.md`.

    ## Related
    XP002.
    """

    code = "XP001"
    name = "idle-suppression"
    summary = "an ignore comment at a place where nothing is found"
    applicability = Applicability.MANUAL
    harm = Harm.LEFTOVER
    words = ("xlaport:",)

    def check_suppressions(self, comments: Sequence[Judged]) -> Iterator[Finding]:
        """Yield one finding for each comment that is idle, wholly or in some of its codes."""
        for comment in comments:
            span, directive = comment.suppression.span, comment.suppression.directive
            codes = ", ".join(f"`{code}`" for code in comment.idle)
            if comment.is_idle and not directive.codes:
                yield self.finding(span, say("XP001.all"))
            elif comment.is_idle:
                yield self.finding(span, say("XP001.comment", codes=codes))
            elif comment.idle:
                yield self.finding(span, say("XP001.codes", codes=codes))
