"""The reports of `verify` that are files: the page and TensorBoard's run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from xlaport.errors import UserError
from xlaport.report import verdict_tensorboard, writable
from xlaport.report.static_causes import Causes
from xlaport.report.verdict_html import as_html
from xlaport.verify.verdict import Verdict


@dataclass(frozen=True)
class VerdictFiles:
    """Which reports are wanted, and where; `None` for one that is not."""

    html: Path | None = None
    tensorboard: Path | None = None

    def check(self) -> None:
        """`UserError` for what cannot be written; asked before the script is run, which may take long."""
        if self.html is not None:
            writable.require("--html", self.html)
        if self.tensorboard is not None:
            if self.tensorboard.exists() and not self.tensorboard.is_dir():
                raise UserError(f"--tensorboard {self.tensorboard}: is a file; name a folder")
            verdict_tensorboard.require()

    def of(self, script: str) -> VerdictFiles:
        """The reports of one of several scripts: each has a page of its own, with the script's name in the page's."""
        if self.html is None:
            return self
        name = "-".join(part for part in Path(script).with_suffix("").parts if part not in ("/", ".", ".."))
        return replace(self, html=self.html.with_name(f"{self.html.stem}-{name}{self.html.suffix}"))

    def write(
        self, verdict: Verdict, causes: Causes, script: Path | None = None, directory: Path | None = None
    ) -> None:
        """Write them; `UserError` where that fails.

        `causes`: what the rules say of the source; `script` is what was run, if it is a file of this machine; the
        paths that are shown are relative to `directory` (the current one).
        """
        try:
            if self.html is not None:
                page = as_html(verdict, causes, directory)
                self.html.write_text(page, encoding="utf-8", newline="\n")
            if self.tensorboard is not None:
                verdict_tensorboard.write(verdict, self.tensorboard, script.stem if script else "run", directory)
        except OSError as error:
            raise UserError(f"{error.filename or 'the report'}: cannot be written: {error.strerror}") from error
