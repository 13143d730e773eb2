"""The least that a check of a tree takes: reading every file, looking for the rules' words, parsing what has one.

Run as a program of its own, so that its CPU time can be compared with that of a check.
"""

from __future__ import annotations

import ast
import gc
import sys
import warnings
from pathlib import Path

from xlaport import registry
from xlaport.rule import DocumentRule

_LIBRARY = b"torch"


def main() -> None:
    """Do it for the tree that is named, and print how many files were seen, and parsed."""
    rules = [rule for rule in registry.load() if not isinstance(rule, DocumentRule) and not rule.on_request]
    words = frozenset(word.encode() for rule in rules for word in rule.words)
    gc.set_threshold(100_000, 20, 4)  # as a check does: the comparison is of the work
    warnings.simplefilter("ignore")
    seen = parsed = 0
    for path in sorted(Path(sys.argv[1]).rglob("*.py")):
        data = path.read_bytes()
        seen += 1
        if _LIBRARY in data and any(word in data for word in words):
            parsed += 1
            try:
                ast.parse(data)
            except (SyntaxError, ValueError, RecursionError):
                continue
    print(f"{seen} files, {parsed} of them with a word")


if __name__ == "__main__":
    main()
