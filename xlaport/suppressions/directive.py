"""What one comment asks for: ``ignore`` with or without codes, ``skip-file``, or nothing that is understood."""

from __future__ import annotations

import re
from dataclasses import dataclass

MARK = "xlaport:"
"""A text without it has no such comment, and need not be looked at."""

_COMMENT = re.compile(r"(?:^|(?<=\s))#\s*xlaport:\s*(?P<word>[A-Za-z][\w-]*)?(?P<rest>.*)", re.DOTALL)
_CODES = re.compile(r"\s*\[(?P<codes>[^\]]*)\]")
_CODE = re.compile(r"[A-Z]+[0-9]*")
_BARE_CODE = re.compile(r"[\s:=(,-]*(?P<code>[A-Za-z]{2,}[0-9]+)\b")
_WORDS = ("ignore", "skip-file")


@dataclass(frozen=True)
class Directive:
    """One comment. Without `codes` it is about all rules; one with a `fault` has no effect."""

    codes: tuple[str, ...] = ()
    """Codes of rules, or their beginnings."""
    skips_file: bool = False
    fault: str = ""
    """What is wrong with it, and how it is written."""

    def names(self, code: str) -> bool:
        """Whether it asks to ignore the rule with a code."""
        return not self.fault and not self.skips_file and (not self.codes or code.startswith(self.codes))


def find(comment: str) -> tuple[int, Directive] | None:
    """The directive in a comment, which begins with its ``#``, and where in it that begins."""
    match = _COMMENT.search(comment)
    return (match.start(), _read(match["word"] or "", match["rest"])) if match else None


def _read(word: str, rest: str) -> Directive:
    if word.lower() == "ignore":
        return _ignore(rest)
    if word.lower() == "skip-file":
        if rest.lstrip().startswith("["):
            return Directive(fault="skip-file is about all rules; for some rules in a file there is per-file-ignores")
        return Directive(skips_file=True)
    import difflib  # (seldom needed, and slow to load)

    near = difflib.get_close_matches(word.lower(), _WORDS, 1, 0.5)
    told = f"'{word}' is no request of xlaport's" if word else "it asks for nothing"
    hint = f"did you mean {near[0]}?" if near else "write ignore[XP301], ignore or skip-file"
    return Directive(fault=f"{told}: {hint}")


def _ignore(rest: str) -> Directive:
    if not rest.lstrip().startswith("["):
        bare = _BARE_CODE.match(rest)
        if bare:  # Taken for a reason, it would ignore all rules.
            return Directive(fault=f"codes stand in brackets: write ignore[{bare['code'].upper()}]")
        return Directive()
    match = _CODES.match(rest)
    if match is None:
        return Directive(fault="its bracket is never closed: write ignore[XP301]")
    codes = tuple(dict.fromkeys(code.strip().upper() for code in match["codes"].split(",") if code.strip()))
    if not codes:
        return Directive(fault="it names no code: write ignore[XP301], or ignore for all rules")
    wrong = next((code for code in codes if not _CODE.fullmatch(code)), None)
    if wrong is not None:
        return Directive(fault=f"'{wrong}' is no code: write codes with commas between them, as in ignore[XP301, XP4]")
    return Directive(codes)
