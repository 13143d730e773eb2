"""What torch.compile says of its graph breaks, in plain words. Read from messages of torch 2.9 (`torch._dynamo`:
graph_break_registry.json); what is not known here is passed on as torch says it.
"""

from __future__ import annotations

import re

from xlaport.verify.dynamo import RUNTIME
from xlaport.verify.saying import say
from xlaport.wording import Text

_LONGEST = 200
"""Characters that are shown of what is not known here."""
_BREAKS = (
    (
        r"Unsupported Tensor\.(item|tolist)|Tensor\.(item|tolist)\(\)|Data dependent operator|_local_scalar_dense",
        "break.read",
    ),
    (r"generic_jump|Data-dependent (branching|assert)|Assertion failed on symbolic", "break.branch"),
    (r"Dynamic shape operator", "break.shape"),
    (r"Dynamic slicing|Indexing list with non-scalar|unsupported index\(Tensor\)", "break.index"),
    (r"Call to `torch\._dynamo\.graph_break", "break.call"),
    (f".*{RUNTIME}", "break.runtime"),
    (r"Skip (calling|inlining) `torch\.compiler\.disable|torch\.compiler\.disable", "break.disabled"),
    (r"Unsupported Tensor\.backward", "break.backward"),
    (r"Logger not supported|`?logging", "break.logger"),
    (r"(?=.*builtin operator `print`)", "break.print"),
    (r"Attempted to wrap RNN", "break.rnn"),
    (r"Attempted to trace generator", "break.generator"),
)
_UNTRACED = re.compile(r"does not know how to trace (?:the )?(?:builtin )?(?:operator |method )?`([^`]+)`")
_SKIPPED = re.compile(r"function `([^`]+)` should not be traced")


def graph_break(message: str) -> Text:
    """Why a line cannot be traced, as a part of a sentence, and what to do about it."""
    flat = " ".join(message.split())
    if key := next((key for pattern, key in _BREAKS if re.match(pattern, flat)), None):
        return say(key)
    if call := _UNTRACED.search(flat) or _SKIPPED.search(flat):
        return say("break.untraced", call=call[1].removesuffix("."))
    kind, _, rest = message.partition("\n")
    told = re.search(r"Explanation: (.+?)(?:\. |$)", " ".join(rest.split()))
    explained = told[1].rstrip(".") if told else ""
    return say("break.other", why=f"{kind.strip()}{f': {explained}' if explained else ''}"[:_LONGEST])
