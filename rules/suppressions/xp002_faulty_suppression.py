"""XP002: a comment that was meant to ignore something, and does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.rule import Applicability, Finding, Harm, SuppressionRule
from xlaport.suppressions.judged import Judged

from .._lib.suppressions.saying import say


class FaultySuppression(SuppressionRule):
    """Report comments to xlaport that it does not understand.

    ## What it does
    Reports a comment that begins with `# xlaport:` and is not `ignore`, `ignore[CODES]` or `skip-file`, and
    codes in it that no rule has. Such a comment, or such a code, has no effect.

    ## Why
    A comment without brackets, `ignore XP301`, would otherwise ignore all rules, and a mistyped one none: neither is
    what its author wants.

    ## Example
        import torch
        x = torch.ones(3)  # xlaport: ignore XP104

    With brackets, it is understood:

        import torch
        x = torch.ones(3)  # xlaport: ignore[XP104]

    ## When it is wrong
    Where the code is that of a rule pack that is not loaded: name it in `rules` of `[tool.xlaport]`.

    ## When it is left alone
    Comments that only speak of xlaport, without `# xlaport:` at their beginning, and texts in quotes.

    ## Sources
    - The codes that there are: `rules/README.md`.

    ## Related
    XP001.
    """

    code = "XP002"
    name = "faulty-suppression"
    summary = "an ignore comment that is not understood"
    applicability = Applicability.MANUAL
    harm = Harm.LEFTOVER
    words = ("xlaport:",)

    def check_suppressions(self, comments: Sequence[Judged]) -> Iterator[Finding]:
        """Yield one finding for each comment that is not understood, and for each unknown code."""
        for comment in comments:
            span = comment.suppression.span
            if comment.suppression.directive.fault:
                directive = comment.suppression.directive
                yield self.finding(span, say("XP002.fault", fault=directive.fault, remedy=directive.remedy))
            for code in comment.unknown:
                yield self.finding(span, say("XP002.unknown", code=code))
