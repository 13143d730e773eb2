"""One Python file: its bytes, its text, and the way back to the disk.

The way in and the way out are exact. `Source.text` is what the bytes say, with no line ending translated,
and `encode` turns an unchanged text into the very same bytes. Every `UserError` raised here says what is
wrong and what to do, but not where: the caller knows the path (it becomes a `FileError` with both).
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import secrets
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path

from xlaport.errors import UserError

MAX_BYTES = 10_000_000
"""No one writes a larger Python file by hand, and parsing it would take minutes and gigabytes."""

_LINE_FEED = re.compile(r"(?<!\r)\n")
"""One that stands alone."""


@dataclass(frozen=True)
class Source:
    """A file as text. `text` has its line endings as they are in the file, and no byte order mark."""

    path: Path
    text: str
    encoding: str
    """The codec of the text: ``utf-8`` unless the file declares another one."""
    bom: bool
    """Whether the file begins with the UTF-8 byte order mark."""
    newline: str
    """The line ending that most lines have: what an inserted line ends with."""


def read_source(path: Path) -> Source:
    """The file at `path`; `UserError` (which does not name it) if it can't be read or is not a text."""
    return decode(path, read_bytes(path))


def read_bytes(path: Path, limit: int | None = None) -> bytes:
    """The bytes of the file at `path`, so that a caller can look at them before it pays for the decoding.

    `limit`: how many it may have; `MAX_BYTES` without one.
    """
    limit = MAX_BYTES if limit is None else limit
    try:
        if not stat.S_ISREG(os.stat(path).st_mode) and not path.is_dir():
            raise UserError("cannot be read: it is not a regular file")  # opening a pipe would wait for its writer
        with path.open("rb") as file:
            # One byte more than allowed tells a file that is too big, even one that grows or has no size.
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise UserError(f"cannot be read: {_reason(error)}") from error
    if len(data) > limit:
        raise UserError(f"is larger than {limit // 1_000_000} MB: exclude it, or convert the code in it by hand")
    # Whoever looks for a word in such bytes does not find it, and takes the file for one without.
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        wide = data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE))
        raise UserError(f"is UTF-{32 if wide else 16}, which Python does not read: save it as UTF-8")
    return data


def decode(path: Path, data: bytes) -> Source:
    """What `data`, the content of `path`, says; `UserError` if Python would not read it as a text either."""
    if b"\0" in data:
        raise UserError("contains null bytes, so it is not Python source: exclude it, or save it as UTF-8")
    encoding = _declared_encoding(data)
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text = body.decode(encoding)
        # Some codecs have several spellings of one text (shift states): what can't come back is refused.
        exact = encoding == "utf-8" or text.encode(encoding) == body
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"is not valid {encoding} at line {line}: save it as UTF-8, or declare its encoding in line 1"
        ) from error
    except (UnicodeError, LookupError) as error:  # LookupError: a codec that is not for text, such as rot13
        raise UserError(f"cannot be decoded as {encoding} ({error}): save it as UTF-8") from error
    if not exact:
        raise UserError(f"would not survive a round trip through {encoding}: save it as UTF-8")
    return Source(path, text, encoding, bom, _dominant_newline(text))


def with_ends(code: str, newline: str, text: str) -> str:
    """What a rule writes into `text`, with the line ends of that; where it has several, those that were copied stay."""
    return code if newline == "\n" or _LINE_FEED.search(text) else _LINE_FEED.sub(newline, code)


def encode(source: Source, text: str) -> bytes:
    """The bytes of `text` in the file's own encoding; the same bytes as before for the same text."""
    try:
        body = text.encode(source.encoding)
    except UnicodeError as error:
        raise UserError(
            f"has a new text that its encoding {source.encoding} cannot express: save it as UTF-8"
        ) from error
    return codecs.BOM_UTF8 + body if source.bom else body


def write_atomically(path: Path, data: bytes, expected: bytes | None = None) -> None:
    """Replace the content of `path` by `data`: at every moment the file holds the old or the new content.

    `expected` is what the file held when `data` was made from it. `UserError` if it holds something else by now,
    or is gone: what somebody else has written must not be lost. (If it already holds `data`, all is well.)

    Mode and, where permitted, owner stay; of a symbolic link, the target is replaced. `UserError` if the file
    or its folder is read-only or the disk is full; the file is then as it was. A killed process can leave a
    file ``.NAME.xlaport-XXXX.tmp`` behind, which nothing reads.
    """
    try:
        # A rename would put a plain file in the place of a link.
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        # A long name is cut: with the additions it would be longer than the file system takes.
        temporary = os.path.join(folder, f".{name[:40]}.xlaport-{secrets.token_hex(4)}.tmp")
        before = _existing(target)
        if expected is not None and _is_there(path, data, expected):
            return
        try:
            # A private file must not be readable by others, not even for a moment.
            descriptor = os.open(temporary, _NEW_FILE, 0o666 if before is None else 0o600)
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                # Without this a power cut after the rename could leave an empty file under the old name.
                os.fsync(file.fileno())
            if before is not None:
                _take_over(temporary, before)
            if expected is not None and _is_there(path, data, expected):
                os.unlink(temporary)
            else:
                os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except (OSError, ValueError) as error:
        raise UserError(
            f"cannot be written: {_reason(error)}; make room or set the permissions, then run again"
        ) from error


_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def _is_there(path: Path, data: bytes, expected: bytes) -> bool:
    """Whether the file holds `data` by now; `UserError` if it holds neither that nor what is `expected`."""
    try:
        now = read_bytes(path)
    except UserError:
        raise UserError("is gone or cannot be read since it was converted: nothing was written; run again") from None
    if now not in (data, expected):
        raise UserError("was changed by somebody else while it was converted: nothing was written; run again")
    return now == data


def _existing(target: str) -> os.stat_result | None:
    """The file that is about to be replaced, if there is one; `UserError` if it must not be."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise UserError("cannot be written: it is not a regular file")
    # A rename would ask only for the folder's permission. The mode is for root, to whom all is permitted.
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise UserError("cannot be written: it is read-only; give it write permission, then run again")
    return status


def _take_over(temporary: str, before: os.stat_result) -> None:
    """Give the new file the owner, group and mode of the old one, as far as this user may."""
    if hasattr(os, "chown"):
        for owner, group in ((before.st_uid, -1), (-1, before.st_gid)):
            with contextlib.suppress(OSError):
                os.chown(temporary, owner, group)
    # After the owner, because a change of owner clears the set-id bits.
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _declared_encoding(data: bytes) -> str:
    """The encoding by byte order mark or by the declaration in the first two lines (PEP 263), else UTF-8."""
    # `bytes.splitlines` knows a lone carriage return for a line ending, as Python does; `BytesIO` does not.
    lines = iter(data.splitlines(keepends=True))
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    except SyntaxError as error:
        if data.startswith(codecs.BOM_UTF8) and "encoding problem" in str(error.msg):
            raise UserError(
                "begins with the mark of UTF-8 but declares another encoding in line 1 or 2: remove the declaration"
            ) from error
        raise UserError(f"has an unusable encoding ({error.msg}): save it as UTF-8") from error
    # The mark is kept apart in `Source.bom`; this codec would add one of its own.
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _dominant_newline(text: str) -> str:
    windows = text.count("\r\n")
    counts = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(counts, key=counts.__getitem__)


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
