"""The facts for people and for machines: what a name stands for and which loops step, each with its evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from xlaport.facts.account import Account, KnownLoop
from xlaport.facts.line_account import LineAccount
from xlaport.result import FileError


def as_text(accounts: Sequence[tuple[str, Account]], errors: Sequence[FileError]) -> str:
    """One block for each file that something is known of."""
    blocks = [_block(path, account) for path, account in accounts if account.roles or account.loops]
    blocks += [f"{error.path}: {error.message}" for error in errors]
    return "\n\n".join(blocks or ["nothing is known of these files: no model, loader, optimizer or step loop"]) + "\n"


def _block(path: str, account: Account) -> str:
    return "\n".join([path, *_loops(account), *_roles(account)])


def _loops(account: Account) -> Iterator[str]:
    for loop in account.loops:
        because = f"line {loop.evidence} {loop.because}"
        yield f"  line {loop.line}: {_a(loop.kind)} loop, since {because}; {_barrier(loop)}"


def _barrier(loop: KnownLoop) -> str:
    if loop.barriers:
        return f"its barrier: {_lines(loop.barriers)}"
    if loop.cuts:
        return f"its barrier belongs beside {_lines(loop.cuts)}"
    return "its barrier belongs into another file" if loop.elsewhere else "its loader cuts the graph"


def _a(what: str) -> str:
    return f"{'an' if what[0] in 'aeio' else 'a'} {what}"


def _lines(lines: Sequence[int]) -> str:
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(str(line) for line in lines)}"


def _roles(account: Account) -> Iterator[str]:
    for known in account.roles:
        where = f" in {known.where}" if known.where else ""
        at = f" (line {known.evidence})" if known.evidence != known.line else ""
        yield f"  line {known.line}: {known.name}{where} is {_a(known.role)}: {known.because}{at}"


def line_as_text(path: str, account: LineAccount) -> str:
    """What is known of a line: an expression, what it is and why, and what else is known of it."""
    lines = [f"{path}:{account.line}", f"  {account.steps}"]
    for known in account.expressions:
        at = f" (line {known.evidence})" if known.evidence not in (0, account.line) else ""
        because = f": {known.because}{at}" if known.because else ""
        lines.append(f"  {known.column}: {known.text} is {known.what or 'not known'}{because}")
        lines += [f"     {detail}" for detail in known.details]
    return "\n".join(lines) + "\n"


def line_as_json(path: str, account: LineAccount, target: str) -> str:
    """The same, as one object."""
    found = {"version": 1, "tool": "xlaport", "target": target, "path": path, **asdict(account)}
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def as_json(accounts: Sequence[tuple[str, Account]], errors: Sequence[FileError], target: str) -> str:
    """One object, with the roles and loops of each file."""
    found = {
        "version": 1,
        "tool": "xlaport",
        "target": target,
        "files": [{"path": path, **asdict(account)} for path, account in accounts],
        "errors": [asdict(error) for error in errors],
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
