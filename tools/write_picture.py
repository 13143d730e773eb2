"""Draw the picture of a report, `docs/images/report.svg`: ``python -m tools.write_picture``.

It is what `xlaport check` prints for a sample, in colors; a test keeps it up to date. It loads nothing, no font either.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parent.parent
FILE = ROOT / "docs" / "images" / "report.svg"
SAMPLE = ROOT / "samples" / "generate" / "generate.py"
_WIDTH = 100
_THEME = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [(72, 79, 88), (255, 123, 114), (63, 185, 80), (210, 153, 34),
     (88, 166, 255), (188, 140, 255), (57, 197, 207), (177, 186, 196)],
)  # fmt: skip
_FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
    }}
    .{unique_id}-title {{ font-size: 18px; font-family: sans-serif; }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def report() -> str:
    """What `xlaport check` prints for the sample, with escape sequences."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    environment |= {"PYTHONPATH": str(ROOT), "COLUMNS": str(_WIDTH)}
    done = subprocess.run(
        [sys.executable, "-m", "xlaport", "check", "--color=always", "--no-cache", "--jobs=1", SAMPLE.name],
        cwd=SAMPLE.parent,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 1:
        raise RuntimeError(done.stderr)
    return done.stdout


def picture() -> str:
    """The picture of it."""
    console = Console(record=True, file=io.StringIO(), width=_WIDTH, _environ={})
    console.print(Text(f"$ xlaport check {SAMPLE.name}", style="bold"))
    console.print(Text.from_ansi(report()))
    svg = console.export_svg(title="xlaport check", theme=_THEME, code_format=_FORMAT, unique_id="report")
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())


def is_asked_for() -> bool:
    """Whether the tests are to write it."""
    return bool(os.environ.get("XLAPORT_UPDATE"))


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(picture(), encoding="utf-8")
