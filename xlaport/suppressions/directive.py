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
    """What is wrong with it."""
    remedy: str = ""
    """How it is written."""

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
            return Directive(
                fault="`skip-file` takes no codes",
                remedy="For some rules in a file, use `per-file-ignores` in the settings.",
            )
        return Directive(skips_file=True)
    import difflib  # (seldom needed, and slow to load)

    near = difflib.get_close_matches(word.lower(), _WORDS, 1, 0.5)
    told = f"xlaport does not know `{word}`" if word else "it asks for nothing"
    hint = f"Write `{near[0]}`." if near else "Write `ignore[XP301]`, `ignore` or `skip-file`."
    return Directive(fault=told, remedy=hint)


def _ignore(rest: str) -> Directive:
    if not rest.lstrip().startswith("["):
        bare = _BARE_CODE.match(rest)
        if bare:  # Taken for a reason, it would ignore all rules.
            return Directive(fault="a code needs brackets", remedy=f"Write `ignore[{bare['code'].upper()}]`.")
        return Directive()
    match = _CODES.match(rest)
    if match is None:
        return Directive(fault="its bracket is not closed", remedy="Write `ignore[XP301]`.")
    codes = tuple(dict.fromkeys(code.strip().upper() for code in match["codes"].split(",") if code.strip()))
    if not codes:
        return Directive(fault="it names no code", remedy="Write `ignore[XP301]`, or `ignore` for all rules.")
    wrong = next((code for code in codes if not _CODE.fullmatch(code)), None)
    if wrong is not None:
        return Directive(
            fault=f"`{wrong}` is not a code", remedy="Separate codes with commas, as in `ignore[XP301, XP4]`."
        )
    return Directive(codes)
