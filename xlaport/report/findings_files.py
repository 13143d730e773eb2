"""The reports of `convert` and `check`: which is wanted, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from xlaport import registry
from xlaport.errors import UserError
from xlaport.report import writable
from xlaport.report.next_step import Asked
from xlaport.report.terminal import Look
from xlaport.report.view import View
from xlaport.result import RunResult

Format = Literal["text", "concise", "json", "sarif", "github", "gitlab", "junit"]
_SOURCES = (".py", ".ipynb")


@dataclass(frozen=True)
class FindingsFiles:
    """The files that are wanted besides the terminal; `None` for one that is not."""

    output_file: Path | None = None
    html: Path | None = None

    def check(self, paths: Sequence[Path], option: str = "--output-file") -> None:
        """`UserError` for what cannot be written; asked before the run over `paths`, which may take long.

        `option` is what the first file is called by.
        """
        if self.output_file is None and self.html is None:
            return
        named = {path.absolute() for path in paths}
        for name, path in ((option, self.output_file), ("--html", self.html)):
            if path is None:
                continue
            if path.suffix in _SOURCES or path.absolute() in named:
                raise UserError(f"{name} {path}: would be written over with the report; name another file")
            writable.require(name, path)
            if path.exists() and not path.is_file():
                raise UserError(f"{name} {path}: is no regular file; name another one")
        if self.html and self.output_file and self.html.absolute() == self.output_file.absolute():
            raise UserError(f"--html {self.html}: is the file of --output-file, too; name another one")

    def write_page(self, result: RunResult, *, written: bool, unsafe: bool) -> None:
        """The page of a run whose changes were `written`, or would be. `UserError` where that fails."""
        if self.html is not None:
            from xlaport.report import port_html  # with a library for Markdown

            page = port_html.as_html(result, registry.load_all(result.packs), written=written, unsafe=unsafe)
            writable.write("--html", self.html, page.encode())

    def write(self, data: bytes) -> None:
        """What would have gone to the terminal. `UserError` where that fails."""
        if self.output_file is not None:
            writable.write("--output-file", self.output_file, data)


def rendered(
    result: RunResult,
    wanted: Format,
    view: View,
    look: Look,
    asked: Asked | None,
    *,
    statistics: bool = False,
    known: int = 0,
) -> str:
    """What was found, and what became of it, or would."""
    # Each format is imported only where it is wanted.
    if wanted == "text":
        from xlaport.report import findings_text

        return findings_text.render(result, view, look, asked, statistics=statistics, known=known)
    if wanted == "concise":
        from xlaport.report import findings_concise

        return findings_concise.render(result, view)
    run = result if view.written else result.as_found()
    if wanted == "sarif":
        from xlaport.report import findings_sarif

        return findings_sarif.render(run, registry.load_all(run.packs))
    return _for_machines(wanted)(run)


def _for_machines(wanted: Format) -> Callable[[RunResult], str]:
    if wanted == "json":
        from xlaport.report.findings_json import render
    elif wanted == "github":
        from xlaport.report.findings_github import render
    elif wanted == "gitlab":
        from xlaport.report.findings_gitlab import render
    else:
        from xlaport.report.findings_junit import render
    return render
