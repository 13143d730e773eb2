"""The one exception that reaches the user: what went wrong, where, and what to do about it."""

from __future__ import annotations


class UserError(Exception):
    """A problem that the user can solve. Its text is one line; the command line prints it and exits with 2."""
