"""Programs made from other programs: what a port may meet, and much that it never will.

A mutation is a function of a text and a source of chance; the same seed makes the same text. Most keep a program a
program, since that is where a conversion has something to do; some do not care.
"""

from __future__ import annotations

import ast
import random
import re
import warnings
from collections.abc import Callable, Sequence

TRIGGERS = ("cuda", "item", "backward", "step", "to", "device", "loss", "model", "optimizer", "loader", "torch",
            "sum", "detach", "cpu", "zero_grad", "forward", "train", "print", "data", "is_cuda",
            "nonzero", "scaler")  # fmt: skip
"""Names that rules look for: a program is renamed into them."""

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_NAME = re.compile(r"\b[a-zA-Z_]\w*\b")
_KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield".split()
)

Mutation = Callable[[str, random.Random, Sequence[str]], str]
"""Text, chance and other programs to take pieces from ─► text."""


def compiles(text: str) -> bool:
    """Whether Python takes the text for a program."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "a.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def mutated(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """`text` with a few mutations; one in ten may be no program any longer."""
    text = text.replace("\r\n", "\n")
    careless = chance.random() < 0.1
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4, 6))):
        for _ in range(8):  # a mutation of tokens seldom succeeds at once
            new = chance.choice(MUTATIONS)(text, chance, donors)
            if new != text and (careless or compiles(new)):
                text = new
                break
    return text


def delete_token(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """Without one token."""
    tokens = _TOKEN.findall(text)
    if tokens:
        del tokens[chance.randrange(len(tokens))]
    return "".join(tokens)


def double_token(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With one token twice."""
    tokens = _TOKEN.findall(text)
    if tokens:
        at = chance.randrange(len(tokens))
        tokens.insert(at, tokens[at] + chance.choice(("", " ", ".", ", ")))
    return "".join(tokens)


def swap_tokens(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With two words in each other's place."""
    tokens = _TOKEN.findall(text)
    words = [i for i, token in enumerate(tokens) if token[0].isalnum()]
    if len(words) > 1:
        a, b = chance.sample(words, 2)
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def lines(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With a line gone, doubled, swapped with the next, or a few of them shuffled."""
    found = text.split("\n")
    at = chance.randrange(len(found))
    kind = chance.randrange(4)
    if kind == 0:
        del found[at]
    elif kind == 1:
        found.insert(at, found[at])
    elif kind == 2:
        found[at : at + 2] = found[at : at + 2][::-1]
    else:
        piece = found[at : at + chance.randrange(2, 6)]
        chance.shuffle(piece)
        found[at : at + len(piece)] = piece
    return "\n".join(found)


def join_lines(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With two statements in one line."""
    found = text.split("\n")
    at = chance.randrange(len(found))
    if at:
        found[at - 1 : at + 1] = [found[at - 1] + chance.choice(("; ", ";", " ")) + found[at].lstrip()]
    return "\n".join(found)


def rename(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With a name replaced everywhere, or in one place, by one that rules look for."""
    names: list[str] = sorted(set(_NAME.findall(text)) - _KEYWORDS)
    if not names:
        return text
    name, new = chance.choice(names), chance.choice((*TRIGGERS, *names))
    places = [match.start() for match in re.finditer(rf"\b{name}\b", text)]
    if chance.random() < 0.5:
        return re.sub(rf"\b{name}\b", new, text)
    at = chance.choice(places)
    return text[:at] + new + text[at + len(name) :]


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _offsets(text: str) -> list[int]:
    """Where each line begins, in bytes: Python's columns are bytes of UTF-8."""
    starts = [0]
    for line in text.encode("utf-8", "surrogatepass").split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _pieces(text: str, kind: type[ast.AST]) -> list[tuple[int, int, int]]:
    """Begin, end and indentation of the nodes of a kind, in bytes; none where the text is no program."""
    tree = _tree(text)
    if tree is None:
        return []
    starts = _offsets(text)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, kind) and isinstance(node, ast.expr | ast.stmt) and node.end_lineno is not None:
            begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1]
            found.append((begin, end + (node.end_col_offset or 0), node.col_offset))
    return found


def _replaced(text: str, begin: int, end: int, piece: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    new: bytes = data[:begin] + piece.encode("utf-8", "surrogatepass") + data[end:]
    return new.decode("utf-8", "surrogatepass")


def _piece(text: str, kind: type[ast.AST], chance: random.Random) -> str | None:
    pieces = _pieces(text, kind)
    if not pieces:
        return None
    begin, end, indent = chance.choice(pieces)
    found: str = text.encode("utf-8", "surrogatepass")[begin:end].decode("utf-8", "surrogatepass")
    return found.replace("\n" + " " * indent, "\n")


def swap_expression(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With an expression replaced by one of this or another program."""
    pieces = _pieces(text, ast.expr)
    other = _piece(chance.choice((text, *donors)), ast.expr, chance)
    if not pieces or other is None or len(other) > 500:
        return text
    begin, end, _ = chance.choice(pieces)
    return _replaced(text, begin, end, other if chance.random() < 0.5 else f"({other})")


def splice_statement(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With a statement of this or another program in front of, or in the place of, one."""
    pieces = _pieces(text, ast.stmt)
    other = _piece(chance.choice((text, *donors)), ast.stmt, chance)
    if not pieces or other is None or len(other) > 2000:
        return text
    begin, end, indent = chance.choice(pieces)
    gap = "\n" + " " * indent
    return _replaced(text, begin, end if chance.random() < 0.3 else begin, other.replace("\n", gap) + gap)


def drop_statement(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With ``pass`` or nothing in the place of a statement."""
    pieces = _pieces(text, ast.stmt)
    if not pieces:
        return text
    begin, end, _ = chance.choice(pieces)
    return _replaced(text, begin, end, chance.choice(("pass", "...", "")))


_HEADS = ("if True:", "for _ in range(3):", "while True:", "with torch.no_grad():", "def f(self, x, device=None):",
          "class C(nn.Module):", "async def g():", "if x:\n    pass\nelse:",
          "for batch in loader:", "lambda: 0\nif 1:")  # fmt: skip


def wrap(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With a statement, and some behind it, in a block; or everything."""
    pieces = _pieces(text, ast.stmt)
    if not pieces:
        return text
    begin, end, indent = chance.choice(pieces)
    body = text.encode("utf-8", "surrogatepass")[begin:end].decode("utf-8", "surrogatepass")
    head = chance.choice(_HEADS)
    step = chance.choice(("    ", "  ", "\t"))
    gap = "\n" + " " * indent
    return _replaced(text, begin, end, head.replace("\n", gap) + gap + step + body.replace("\n", "\n" + step))


def try_around(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With a statement in a ``try``."""
    pieces = _pieces(text, ast.stmt)
    if not pieces:
        return text
    begin, end, indent = chance.choice(pieces)
    body = text.encode("utf-8", "surrogatepass")[begin:end].decode("utf-8", "surrogatepass")
    gap = "\n" + " " * indent
    tail = chance.choice(("except Exception:\n    pass", "finally:\n    pass", "except* ValueError:\n    raise"))
    inner = body.replace("\n", "\n    ")
    return _replaced(text, begin, end, "try:" + gap + "    " + inner + gap + tail.replace("\n", gap))


def nest(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With an expression in deep brackets, or a deep chain."""
    pieces = _pieces(text, ast.expr)
    if not pieces:
        return text
    begin, end, _ = chance.choice(pieces)
    body = text.encode("utf-8", "surrogatepass")[begin:end].decode("utf-8", "surrogatepass")
    depth = chance.choice((1, 2, 20, 90, 200))
    left, right = chance.choice((("(", ")"), ("[", "][0]"), ("not (", ")"), ("(lambda: ", ")()"), ("(yield ", ")"),
                                 ("{0: ", "}[0]"), ("f(*", ")"), ("(1 + ", ")"), ("(t := ", ")")))  # fmt: skip
    return _replaced(text, begin, end, left * depth + body + right * depth)


def layout(text: str, chance: random.Random, donors: Sequence[str]) -> str:
    """With white space and comments where they are allowed but seldom seen."""
    kind = chance.randrange(8)
    if kind == 0:
        return re.sub(r"(?m)^(?:    )+", lambda m: "\t" * (len(m[0]) // 4), text)
    if kind == 1:
        return re.sub(r"(?m)^(?:    )+", lambda m: " " * (len(m[0]) // 4), text)
    if kind == 2:
        at = text.find("\n", chance.randrange(len(text) + 1))
        return text[:at] + "  # é 😀 \\" + text[at:] if at >= 0 else text
    if kind == 3:
        at = text.find("\n", chance.randrange(len(text) + 1)) + 1
        return text[:at] + chance.choice(("\f\n", "\n\n\n\n", "# note\n", "\f", "        # odd\n")) + text[at:]
    if kind == 4:
        spots = [m.start() for m in re.finditer(r"(?<=[\w)\]]) (?=[\w(\[=+*-])", text)]
        return text[: (at := chance.choice(spots))] + " \\\n  " + text[at + 1 :] if spots else text
    if kind == 5:
        spots = [m.end() for m in re.finditer(r"[(\[,]", text)]
        piece = chance.choice(("\n", "  # why\n", "\n\n   "))
        return text[: (at := chance.choice(spots))] + piece + text[at:] if spots else text
    if kind == 6:
        return text.rstrip("\n")
    return re.sub(r"(?m)[ ]*=[ ]*", chance.choice(("=", "   =   ")), text)


MUTATIONS: tuple[Mutation, ...] = (
    delete_token, double_token, swap_tokens, lines, lines, join_lines, rename, rename, swap_expression, swap_expression,
    splice_statement, splice_statement, splice_statement, drop_statement, wrap, wrap, try_around, nest, layout, layout,
)  # fmt: skip
"""More often what more often makes a program."""


def spelled(text: str, chance: random.Random) -> bytes:
    """The bytes of a file with this text: mostly UTF-8, else with another line end, mark or encoding."""
    kind = chance.randrange(12)
    if kind == 0:
        return text.replace("\n", "\r\n").encode("utf-8", "replace")
    if kind == 1:
        return text.replace("\n", "\r").encode("utf-8", "replace")
    if kind == 2:
        return "".join(line + chance.choice(("\n", "\r\n")) for line in text.split("\n")).encode("utf-8", "replace")
    if kind == 3:
        return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")
    if kind == 4:
        codec = chance.choice(("latin-1", "cp1252", "shift_jis", "utf-8", "iso-8859-15", "euc-jp", "gbk"))
        return f"# -*- coding: {codec} -*-\n{text}".encode(codec, "replace")
    return text.encode("utf-8", "replace")
