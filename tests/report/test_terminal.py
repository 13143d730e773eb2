"""How wide a report is, and whether it has colors."""

from __future__ import annotations

import io

import pytest

from xlaport.report.terminal import Color, Detail, Look, look, wants_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("color", "environment", "on_terminal", "elsewhere"),
    [
        (Color.auto, {}, True, False),
        (Color.auto, {"NO_COLOR": "1"}, False, False),
        (Color.auto, {"NO_COLOR": ""}, True, False),
        (Color.auto, {"FORCE_COLOR": "1"}, True, True),
        (Color.auto, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        (Color.auto, {"TERM": "dumb"}, False, False),
        (Color.always, {"NO_COLOR": "1"}, True, True),
        (Color.never, {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colors(
    monkeypatch: pytest.MonkeyPatch, color: Color, environment: dict[str, str], on_terminal: bool, elsewhere: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (wants_color(True, color), wants_color(False, color)) == (on_terminal, elsewhere)


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("300", 120), ("5", 40)])
def test_the_width_is_that_of_the_terminal_within_limits(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert look(Terminal()).width == width
    assert look(io.StringIO()).width == width


def test_elsewhere_it_is_120() -> None:
    assert look(io.StringIO()) == Look(120, False, Detail.FINDINGS)


def test_code_in_backticks_stands_out() -> None:
    shown = Look(color=True)
    assert shown.render([shown.prose("the `loss` grows")]) == "the \x1b[1m`loss`\x1b[0m grows\n"
    assert Look().render([Look().prose("the `loss` grows")]) == "the `loss` grows\n"
