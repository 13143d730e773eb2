"""What torch.compile does while the script runs: where its graphs break, which guards fail, where it gives up.

Two functions of `torch._dynamo` are watched, both run only while something is traced: ``_compile`` (one function, or
what is left of it behind a break) and ``log_graph_break`` (each break; a method of what traces since torch 2.12 at the
latest). Why guards failed, it keeps itself. Steps that are not traced pass none of this.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from ..dynamo import guard
from ..events import Counts, GraphBreak, Point, Site
from . import frames
from .session import current, guarded
from .wrapping import wrap

_LONGEST = 800
"""Characters of a message of torch's that are kept: what it is comes first, hints and developer's context behind."""

_tracing = threading.local()
_seen: set[tuple[Site | None, str]] = set()
_forward: dict[tuple[str, str] | None, str] = {}
"""Why a function was traced whose graph has not been compiled yet, by the path and the name of the function."""
_backward: list[str] = []
"""The same for backward passes, in the order of the forward passes: they are compiled when they first run."""


def install() -> None:
    """Watch torch.compile."""
    from torch._dynamo import convert_frame, symbolic_convert

    signature = inspect.signature(convert_frame._compile)

    def compile_one(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        watch = _Watch()
        guarded(lambda: watch.begin(signature.bind(*args, **kwargs).arguments))
        try:
            result = original(*args, **kwargs)
        except Exception as error:  # taken note of, and raised again
            guarded(watch.failed, error)
            raise
        finally:
            _tracing.breaks = watch.outer
        guarded(watch.traced, result)
        return result

    wrap(convert_frame, "_compile", compile_one)
    if hasattr(symbolic_convert, "log_graph_break"):
        wrap(symbolic_convert, "log_graph_break", _broke)
    else:
        wrap(symbolic_convert.InstructionTranslatorBase, "log_graph_break", _broke_in)


def why(site: Site | None, backward: bool) -> str | None:
    """Why the graph of torch.compile that has just been compiled was traced; `None` if that is not known."""
    if backward:
        return _backward.pop() if _backward else None
    return _forward.pop(_key(site), None)


def after_barrier() -> None:
    """A step is over: a backward pass that has not come belongs to nothing any more."""
    _backward.clear()


class _Watch:
    """One function that is being traced. `outer`: the breaks of one that is being traced around it."""

    def __init__(self) -> None:
        self.outer = getattr(_tracing, "breaks", None)
        self.breaks: list[tuple[Any, str]] = []
        _tracing.breaks = self.breaks

    def begin(self, arguments: dict[str, Any]) -> None:
        """What is going to be traced: the arguments of `_compile`."""
        self.code = arguments["code"]
        self.variables = arguments["locals"], arguments["globals"]
        code = self.code
        own = frames.is_user(code.co_filename)
        self.site = frames.site_of(code.co_filename, code.co_firstlineno, code.co_name) if own else frames.site()
        self.known = len(self._failures())

    def _failures(self) -> list[str]:
        from torch._dynamo.utils import guard_failures, orig_code_map

        failures: list[str] = guard_failures.get(orig_code_map.get(self.code, self.code), [])
        return failures

    def _reason(self) -> str | None:
        # The guards of all versions have failed; the first that is told is that of the latest version.
        new = self._failures()[self.known :]
        if not new:
            return None
        failed = guard(new[0], *self.variables)
        place = _users_file(failed.path) if failed.path else None
        return failed.words + (f" (relied on at {place}:{failed.line})" if place else "")

    def traced(self, result: Any) -> None:
        """It has been traced, or left alone."""
        made = getattr(result, "guarded_code", None) is not None
        self._emit_breaks(whole=not made)
        reason = self._reason()
        if made and reason:
            self._emit("retraced", reason)
        if made:
            reason = reason or self._first()
            _forward[_key(self.site)] = reason
            _backward.append(reason)

    def _first(self) -> str:
        rest = frames.is_rest(self.code.co_name)
        which = f"the rest of this function, behind line {self.code.co_firstlineno}," if rest else "this function"
        return f"torch.compile traced {which} for the first time"

    def failed(self, error: Exception) -> None:
        """It could not be traced: as a rule it runs as if it were not compiled."""
        if type(error).__name__ == "RecompileLimitExceeded":
            self._emit("gave-up", self._reason() or str(error))
        elif stack := getattr(error, "real_stack", None):
            self.breaks.append((stack, str(error)))
        self._emit_breaks(whole=True)

    def _emit(self, kind: str, reason: str) -> None:
        current().emit(Point(kind, self.site, Counts(), reason=reason, thread=frames.thread()))

    def _emit_breaks(self, whole: bool) -> None:
        function = frames.site_of(self.code.co_filename, self.code.co_firstlineno, self.code.co_name).function
        for stack, message in self.breaks:
            site = _innermost(stack) or self.site
            if (site, message) not in _seen:
                _seen.add((site, message))
                current().emit(GraphBreak(site, function, whole, message[:_LONGEST]))


def _broke(original: Callable[..., None], *args: Any, **kwargs: Any) -> None:
    guarded(_note_break, *args, **kwargs)
    original(*args, **kwargs)


def _broke_in(original: Callable[..., None], tracer: Any, code_options: Any, reason: str, exc: Any) -> None:
    if not exc.logged:
        guarded(_note_break, code_options, reason, user_stack=getattr(exc, "real_stack", None))
    original(tracer, code_options=code_options, reason=reason, exc=exc)


def _note_break(code_options: Any, reason: str = "", exc_info: bool = False, user_stack: Any = None) -> None:
    import torch

    breaks = getattr(_tracing, "breaks", None)
    if breaks is not None:
        breaks.append((torch._guards.TracingContext.extract_stack() if user_stack is None else user_stack, reason))


def _innermost(stack: Iterable[Any]) -> Site | None:
    """The user's line among those that were being traced."""
    users = [entry for entry in stack if frames.is_user(entry.filename)]
    return frames.site_of(users[-1].filename, users[-1].lineno, users[-1].name) if users else None


def _key(site: Site | None) -> tuple[str, str] | None:
    return (site.path, site.function) if site else None


def _users_file(end: str) -> str | None:
    """The base name of the user's file whose path ends so (torch cuts off its beginning); `None` if there is none."""
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    found = next((file for file in files if file and file.endswith(end) and frames.is_user(file)), None)
    return os.path.basename(found) if found else None
