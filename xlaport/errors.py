"""The one exception that reaches the user: what went wrong, where, and what to do about it."""

from __future__ import annotations


class UserError(Exception):
    """A problem that the user can solve: one line of text, which the command line prints, exiting with 2."""
