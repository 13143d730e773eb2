"""The reports of ``convert`` and ``check``: printed, or written where they are asked for."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlaport.commands.options import FindingsFormat
from xlaport.errors import UserError
from xlaport.report.terminal import Color, Detail, Look, look, wants_color

if TYPE_CHECKING:
    from xlaport.report.findings_files import FindingsFiles
    from xlaport.report.next_step import Asked
    from xlaport.report.view import View
    from xlaport.result import RunResult


def report_asked_for(
    files: FindingsFiles,
    output: FindingsFormat,
    color: Color,
    quiet: bool,
    verbose: bool,
    statistics: bool,
    possible: bool,
) -> Report:
    """What the options say of the report. Raises `UserError` for what contradicts itself, or does nothing."""
    if quiet and verbose:
        raise UserError("--quiet and --verbose: choose one")
    if output is not FindingsFormat.text:
        for name, given in (("--quiet", quiet), ("--verbose", verbose), ("--statistics", statistics)):
            if given:
                raise UserError(f"{name} is for the text report: leave it out with --output-format {output.value}")
    detail = Detail.SUMMARY if quiet else Detail.EVIDENCE if verbose else Detail.FINDINGS
    return Report(files, output, color, detail, statistics, possible)


@dataclass(frozen=True)
class Report:
    """How a run is to be reported."""

    files: FindingsFiles
    output: FindingsFormat
    color: Color
    detail: Detail
    statistics: bool = False
    possible: bool = False
    """Whether what may be so is shown beside what is."""

    def print(self, result: RunResult, view: View, asked: Asked | None, known: int = 0) -> None:
        """Print the report, or write it into its file. `known`: how many findings a baseline has left out."""
        from xlaport.report.findings_files import rendered

        if self.possible and self.output is not FindingsFormat.json:  # which lists them apart
            result = result.with_possible()
        # What is written into a file has no width of a terminal, and no colors but where they are asked for.
        own = look(sys.stdout, self.color, self.detail)
        if self.files.output_file is not None:
            own = Look(own.width, self.color is Color.always, self.detail)
        text = rendered(result, self.output.value, view, own, asked, statistics=self.statistics, known=known)
        if self.files.output_file is None:
            sys.stdout.write(text)
            sys.stdout.flush()  # what follows may fail, and what was said must not be lost with it
        else:
            self.files.write(text.encode("utf-8", "backslashreplace"))
        self._say_summary(result, view)

    def print_diff(self, result: RunResult, view: View) -> None:
        """Print the diff, and on standard error what it does not show."""
        from xlaport.report import diff, findings_text

        patch = diff.render(result)
        if self.files.output_file is None:
            if wants_color(sys.stdout.isatty(), self.color):
                patch = diff.colored(patch)
            # Bytes, since a patch has to hold the bytes of the files whatever the terminal's encoding is.
            sys.stdout.flush()
            sys.stdout.buffer.write(patch.encode("utf-8", "surrogateescape"))
            sys.stdout.buffer.flush()
        else:
            self.files.write(patch.encode("utf-8", "surrogateescape"))
        own = look(sys.stderr, self.color, self.detail)
        shown = result.with_possible() if self.possible else result
        sys.stderr.write(findings_text.render(shown, view, own, statistics=self.statistics))

    def print_program(self, result: RunResult, view: View, typed: bytes) -> None:
        """Print the port of what came on standard input, and on standard error what is said of it.

        What no rule looks at, and what cannot be read, comes out as it came.
        """
        from xlaport import source
        from xlaport.report import findings_text

        data = typed
        for file in result.changed:
            data = source.encode(source.Source(file.path, file.before, file.encoding, file.bom, "\n"), file.after)
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        own = look(sys.stderr, self.color, self.detail)
        shown = result.with_possible() if self.possible else result
        sys.stderr.write(findings_text.render(shown, view, own, statistics=self.statistics))

    def _say_summary(self, result: RunResult, view: View) -> None:
        """The totals, for somebody who looks on, where the report has none or goes elsewhere."""
        if sys.stderr.isatty() and (self.files.output_file is not None or self.output is not FindingsFormat.text):
            from xlaport.report.findings_text import summary

            sys.stderr.write(f"{summary(result, view)}\n")
