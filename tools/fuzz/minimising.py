"""The smallest input that still breaks a promise in the same way."""

from __future__ import annotations

from collections.abc import Callable


def minimised(data: bytes, is_same: Callable[[bytes], bool], tries: int = 600) -> bytes:
    """`data` without the lines that `is_same` does not need; after so many `tries` what there is by then."""
    lines = data.splitlines(keepends=True)
    size = len(lines) // 2
    while size and tries > 0:
        at = 0
        while at < len(lines) and tries > 0:
            fewer = lines[:at] + lines[at + size :]
            tries -= 1
            if fewer and is_same(b"".join(fewer)):
                lines = fewer
            else:
                at += size
        size = min(size // 2, len(lines) // 2) if size > 1 else 0
    return b"".join(lines)
