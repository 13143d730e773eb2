"""The engine: rules propose, it disposes. With toy rules, so that only the engine is on trial."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlaport import engine
from xlaport.context import Context
from xlaport.result import ReportedFinding
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Import,
    InsertStatement,
    MoveStatement,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Rule,
)
from xlaport.targets.known import target

SAFE = engine.Settings(target())
UNSAFE = engine.Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))

Check = Callable[[Context], Iterator[tuple[ast.AST, str, list[Edit]]]]


def rule(code: str, check: Check, applicability: Applicability = Applicability.SAFE, *imports: Import) -> Rule:
    """A rule from a function that yields nodes, messages and edits."""

    class Toy(Rule):
        words = ("",)

        def check(self, context: Context) -> Iterator[Finding]:
            for node, message, edits in check(context):
                yield self.finding(context.span(node), message, *edits, imports=imports)

    Toy.code, Toy.name, Toy.summary, Toy.applicability = code, code.lower(), code, applicability
    return Toy()


def renames(code: str, old: str, new: str, *imports: Import, applicability: Applicability = Applicability.SAFE) -> Rule:
    """A rule that writes the name `new` for the name `old`."""

    def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
        for node in context.module.nodes:
            if isinstance(node, ast.Name) and node.id == old:
                yield node, f"{old} in line {context.line(node)}", [Replace(context.span(node), new)]

    return rule(code, check, applicability, *imports)


def advises(code: str, name: str) -> Rule:
    """A rule that only speaks of a name."""

    def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
        for node in context.module.nodes:
            if isinstance(node, ast.Name) and node.id == name:
                yield node, f"{name} in line {context.line(node)}", []

    return rule(code, check)


def statements(code: str, name: str, edit: Callable[[Context, ast.stmt], list[Edit]]) -> Rule:
    """A rule that edits the statements that consist of a name."""

    def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
        for node in context.module.nodes:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Name) and node.value.id == name:
                yield node, name, edit(context, node)

    return rule(code, check)


def convert(text: str, *rules: Rule, settings: engine.Settings = SAFE, path: str = "a.py") -> str:
    converted = engine.convert(text, path, rules, settings)
    again = engine.convert(converted.text, path, rules, settings)
    assert again.text == converted.text, "converting twice must change nothing"
    return converted.text


def report(text: str, *rules: Rule, settings: engine.Settings = SAFE) -> list[tuple[str, int, int, bool]]:
    found = engine.convert(text, "a.py", rules, settings).findings
    return [(f.code, f.line, f.column, f.fixed) for f in found]


class TestMustNot:
    def test_touch_what_no_rule_speaks_of(self) -> None:
        text = "a\r\nb\tü = '\x0c'\rc".replace("\tü", "; ü")
        assert convert(text, renames("XP901", "nothing", "x")) == text

    def test_apply_what_is_not_allowed(self) -> None:
        unsafe = renames("XP901", "a", "b", applicability=Applicability.UNSAFE)
        assert convert("a\n", unsafe) == "a\n"
        assert report("a\n", unsafe) == [("XP901", 1, 1, False)]
        assert convert("a\n", unsafe, settings=UNSAFE) == "b\n"
        manual = renames("XP902", "a", "b", applicability=Applicability.MANUAL)
        assert convert("a\n", manual, settings=UNSAFE) == "a\n"

    def test_show_a_rule_a_file_without_its_words(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            raise AssertionError

        quiet = rule("XP901", check)
        type(quiet).words = ("cuda",)
        assert convert("a\n", quiet) == "a\n"

    def test_apply_half_of_a_finding(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            names = [n for n in context.module.nodes if isinstance(n, ast.Name) and n.id in "ab"]
            if len(names) == 2:
                yield (
                    names[0],
                    "both",
                    [Replace(context.span(n), "(") if n.id == "b" else Replace(context.span(n), "c") for n in names],
                )

        assert convert("a\nb\n", rule("XP901", check)) == "a\nb\n"

    def test_lose_a_statement_that_moves_beside_its_like(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            body = context.module.tree.body
            barrier = context.span(body[0])
            if isinstance(body[0], ast.Pass):
                for statement in body[1:]:
                    yield statement, "", [MoveStatement(context.span(statement), barrier, before=True)]

        assert convert("pass\na += b\na += b\n", rule("XP901", check)) == "a += b\na += b\npass\n"

    def test_apply_edits_of_one_finding_that_overlap(self) -> None:
        both = statements("XP901", "a", lambda c, s: [ReplaceStatement(c.span(s), "b"), Replace(c.span(s), "c")])
        assert convert("a\n", both) == "a\n"

    def test_break_the_file(self) -> None:
        broken = renames("XP901", "a", "(")
        assert convert("a\nb\n", broken, renames("XP902", "b", "c")) == "a\nc\n"
        assert report("a\nb\n", broken, renames("XP902", "b", "c")) == [("XP901", 1, 1, False), ("XP902", 2, 1, True)]

    def test_write_what_parses_but_does_not_compile(self) -> None:
        assert convert("a\n", statements("XP901", "a", lambda c, s: [ReplaceStatement(c.span(s), "return")])) == "a\n"

    def test_refuse_a_file_that_did_not_compile_before(self) -> None:
        assert convert("return a\n", renames("XP901", "a", "b")) == "return b\n"


class TestErrors:
    def test_of_syntax_name_the_line(self) -> None:
        with pytest.raises(engine.ConversionError, match=r"^line 2: this is not Python .*; file left as it is$"):
            engine.convert("a\nif:\n", "a.py", [], SAFE)

    @pytest.mark.parametrize("text", ["a\0b", "'\ud800'\n"])
    def test_of_characters_are_one_line(self, text: str) -> None:
        with pytest.raises(engine.ConversionError) as caught:
            engine.convert(text, "a.py", [], SAFE)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("text", ["(" * 3000 + ")" * 3000, "-" * 100_000 + "1", "+".join("a" * 20_000)])
    def test_of_depth_are_one_line(self, text: str) -> None:
        # How deep is too deep differs from one Python to the next.
        message = ""
        try:
            convert(text + "\n", renames("XP901", "a", "b"))
        except engine.ConversionError as error:
            message = str(error)
        assert "\n" not in message
        assert message == "" or message.endswith("file left as it is")

    def test_thousands_of_edits_take_no_time(self) -> None:
        assert convert("a\n" * 4000, renames("XP901", "a", "b")) == "b\n" * 4000

    def test_of_a_rule_name_the_rule(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            yield from ()
            raise KeyError("two\nlines")

        with pytest.raises(
            engine.ConversionError, match=r"^rule XP901 \(xp901\) failed: KeyError: .*report.*$"
        ) as caught:
            engine.convert("a\n", "a.py", [rule("XP901", check)], SAFE)
        assert "\n" not in str(caught.value)


def grows(code: str, name: str) -> Rule:
    """A rule that never comes to rest: it adds to each name that begins so."""

    def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
        for node in context.module.nodes:
            if isinstance(node, ast.Name) and node.id.startswith(name):
                yield node, "longer", [Replace(context.span(node), f"{node.id}_")]

    return rule(code, check)


class TestSettling:
    """A rule whose edits come to no end loses them, and nothing else does."""

    def test_a_rule_that_never_comes_to_rest_edits_nothing(self) -> None:
        rules = [renames("XP901", "a", "b"), grows("XP902", "c")]
        done = engine.convert("a\nc\nca\n", "a.py", rules, SAFE)
        assert done.text == "b\nc\nca\n"
        told = {(f.line, f.code, f.applicability, f.fixed) for f in done.findings}
        assert told == {
            (1, "XP901", Applicability.SAFE, True),
            (2, "XP902", Applicability.MANUAL, False),
            (3, "XP902", Applicability.MANUAL, False),
        }
        assert all(
            f.notes[0].startswith("by hand, since the edits of XP902 did not settle in 10 rounds")
            for f in done.findings
            if f.code == "XP902"
        )

    @pytest.mark.parametrize("turned", [False, True])
    def test_of_two_rules_that_undo_each_other_one_stays(self, turned: bool) -> None:
        rules = [renames("XP901", "a", "b"), renames("XP902", "b", "a"), renames("XP903", "c", "d")]
        done = engine.convert("b\nc\n" if turned else "a\nc\n", "a.py", rules[::-1] if turned else rules, SAFE)
        assert done.text == "b\nd\n"
        assert engine.convert(done.text, "a.py", rules, SAFE).text == done.text
        assert [f.code for f in done.findings if not f.fixed] == ["XP902"]

    def test_of_three_rules_in_a_circle_one_is_left_out(self) -> None:
        rules = [renames("XP901", "a", "b"), renames("XP902", "b", "c"), renames("XP903", "c", "a")]
        for text in "abc":
            assert engine.convert(f"{text}\n", "a.py", rules, SAFE).text == "c\n"

    def test_who_follows_a_restless_rule_is_not_blamed(self) -> None:
        """XP904 changes what XP902 adds, in each round."""
        after = [renames("XP904", f"c{'_' * n}", f"c{'_' * n}x") for n in range(1, 12)]
        done = engine.convert("c\na\n", "a.py", [renames("XP901", "a", "b"), grows("XP902", "c"), *after], SAFE)
        assert done.text == "c\nb\n"
        assert {f.code for f in done.findings if not f.fixed} == {"XP902"}

    def test_several_restless_rules_are_left_out_together(self) -> None:
        rules = [grows("XP902", "c"), renames("XP901", "a", "b"), grows("XP903", "e"), grows("XP904", "f")]
        done = engine.convert("a\nc\ne\nf\n", "a.py", rules, SAFE)
        assert done.text == "b\nc\ne\nf\n"

    @given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=6))
    @settings(deadline=None)
    def test_whatever_rules_do_the_file_is_converted(self, pairs: list[tuple[str, str]]) -> None:
        rules = [renames(f"XP9{i:02}", old, new) for i, (old, new) in enumerate(pairs)]
        done = engine.convert(
            "".join(f"{name}\n" for name in "abcdefg"), "a.py", [*rules, renames("XP999", "g", "h")], SAFE
        )
        assert done.text.endswith("h\n")
        assert engine.convert(done.text, "a.py", [*rules, renames("XP999", "g", "h")], SAFE).text == done.text


class TestRounds:
    def test_identical_edits_are_applied_once(self) -> None:
        insert = [statements(f"XP90{i}", "a", lambda c, s: _once(c, s)) for i in (1, 2)]
        assert convert("a\n", *insert) == "a\nnew\n"
        assert [row[3] for row in report("a\n", *insert)] == [True, True]

    def test_insertions_at_one_place_keep_the_order_of_their_findings(self) -> None:
        text = "if a:\n    b\n"

        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            (block,) = context.module.tree.body
            if isinstance(block, ast.If) and len(context.module.tree.body) == 1 and "first" not in context.module.text:
                yield block.test, "first", [InsertStatement(context.span(block), "first")]
                yield block.body[0], "second", [InsertStatement(context.span(block), "second")]

        def check_once(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            if "first" not in context.module.text:
                yield from check(context)

        assert convert(text, rule("XP901", check_once)) == "if a:\n    b\nfirst\nsecond\n"

    def test_what_overlaps_waits_for_the_next_round(self) -> None:
        inner = renames("XP901", "a", "b")

        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            for call in context.module.calls:
                if isinstance(call.func, ast.Name) and call.func.id == "f":
                    yield call, "outer", [Replace(context.span(call), context.module.segment(call.args[0]))]

        assert convert("x = f(a)\n", inner, rule("XP902", check)) == "x = b\n"
        assert report("x = f(a)\n", inner, rule("XP902", check)) == [("XP902", 1, 5, True), ("XP901", 1, 7, True)]

    @pytest.mark.parametrize("after", [(), ("XP901", "XP902")])
    def test_what_comes_after_another_rule_waits_while_that_changes_the_file(self, after: tuple[str, ...]) -> None:
        quotes = statements("XP903", "mark", lambda c, s: [ReplaceStatement(c.span(s), f"seen_{c.module.text[0]}")])
        type(quotes).after = after
        first, second = renames("XP901", "a", "b"), renames("XP902", "b", "c")
        assert convert("a\nmark\n", first, second, quotes) == ("c\nseen_c\n" if after else "c\nseen_a\n")

    def test_of_two_for_one_place_what_is_asked_for_is_made_and_told(self) -> None:
        rules = [
            renames("XP901", "a", "b"),
            renames("XP902", "a", "c", applicability=Applicability.UNSAFE),
        ]
        assert convert("a\n", *rules) == "b\n"
        assert report("a\n", *rules) == [("XP901", 1, 1, True)]
        assert convert("a\n", *rules, settings=UNSAFE) == "c\n"
        assert report("a\n", *rules, settings=UNSAFE) == [("XP902", 1, 1, True)]

    def test_a_block_is_never_left_empty(self) -> None:
        remove = statements("XP901", "a", lambda c, s: [RemoveStatement(c.span(s))])
        assert convert("if x:\n    a\n    a\n    a\n", remove) == "if x:\n    pass\n"

    def test_shared_lines_are_opened_first(self) -> None:
        insert = statements("XP901", "a", lambda c, s: _once(c, s))
        assert convert("if x: b; a\n", insert) == "if x:\n    b\n    a\n    new\n"
        assert report("if x: b; a\n", insert) == [("XP901", 1, 10, True)]

    def test_an_edit_that_changes_nothing_is_none(self) -> None:
        assert convert("a\n", renames("XP901", "a", "a")) == "a\n"
        assert report("a\n", renames("XP901", "a", "a")) == [("XP901", 1, 1, False)]


def _found(each: Rule, context: Context) -> list[tuple[ast.AST, str, list[Edit]]]:
    """What a toy rule finds, as another one may hand it on."""
    nodes = {context.span(node): node for node in context.module.of_type(ast.Name)}
    return [(nodes[found.span], found.message, list(found.edits)) for found in each.check(context)]


def _once(context: Context, statement: ast.stmt) -> list[Edit]:
    return [] if "new" in context.module.text else [InsertStatement(context.span(statement), "new")]


class TestImports:
    XLA = Import("torch_xla", "torch_xla")

    def test_come_with_the_edits_that_need_them(self) -> None:
        assert (
            convert("import torch\na\n", renames("XP901", "a", "torch_xla", self.XLA))
            == "import torch\nimport torch_xla\ntorch_xla\n"
        )
        assert convert("import torch\na\n", renames("XP901", "a", "(", self.XLA)) == "import torch\na\n"

    def test_stand_above_other_insertions_at_their_place(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            if "sync" not in context.module.text:
                first = context.module.tree.body[0]
                yield first, "", [InsertStatement(context.span(first), "torch_xla.sync()")]

        new = convert("import torch\n", rule("XP901", check, Applicability.SAFE, self.XLA))
        assert new == "import torch\nimport torch_xla\ntorch_xla.sync()\n"

    def test_that_an_edit_made_idle_go(self) -> None:
        text = "from torch.cuda import amp\nimport os\namp\n"
        assert convert(text, renames("XP901", "amp", "x")) == "import os\nx\n"
        assert convert(text, renames("XP901", "amp", "x"), path="pkg/__init__.py") == text.replace("\namp", "\nx")

    def test_that_were_idle_before_stay(self) -> None:
        assert convert("import os\na\n", renames("XP901", "a", "b")) == "import os\nb\n"


class TestReport:
    def rows(self, text: str, *rules: Rule) -> list[ReportedFinding]:
        return list(engine.convert(text, "a.py", rules, SAFE).findings)

    def test_speaks_of_the_text_as_it_was(self) -> None:
        longer = renames("XP901", "a", "a_much_longer_name")
        lines = statements("XP902", "b", lambda c, s: [ReplaceStatement(c.span(s), "c\nd\ne")])
        text = "a; z\nb\nz, a\n"
        assert report(text, longer, lines, advises("XP903", "z")) == [
            ("XP901", 1, 1, True), ("XP903", 1, 4, False), ("XP902", 2, 1, True), ("XP903", 3, 1, False),
            ("XP901", 3, 4, True),
        ]  # fmt: skip

    def test_follows_a_statement_that_moves(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            body = context.module.tree.body
            if context.module.text.startswith("# m\na"):
                yield body[0], "", [MoveStatement(context.span(body[0]), context.span(body[-1]))]

        text = "# m\na\nb\nc = z\n"
        assert convert(text, rule("XP901", check)) == "b\nc = z\n# m\na\n"
        found = report(text, rule("XP901", check), advises("XP902", "a"), advises("XP903", "z"))
        assert found == [("XP901", 2, 1, True), ("XP902", 2, 1, False), ("XP903", 4, 5, False)]

    def test_gives_new_lines_the_place_that_they_stem_from(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            body = context.module.tree.body
            if "z" not in context.module.text:
                where = context.span(body[1])
                yield body[1], "", [InsertStatement(context.span(body[-1]), "z", origin=where)]

        found = self.rows("a\n  \nb1\nc\n", rule("XP901", check), advises("XP902", "z"))
        assert [(f.code, f.line, f.end_line, f.end_column) for f in found] == [("XP901", 3, 3, 3), ("XP902", 3, 3, 3)]

    def test_keeps_findings_at_one_place_apart(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            for call in context.module.calls:
                yield call, "call", []

        assert report("x.a().b()\n", rule("XP901", check)) == [("XP901", 1, 1, False)] * 2

    def test_names_lines_as_they_were(self) -> None:
        insert = statements("XP901", "a", lambda c, s: _once(c, s))
        (_, advice) = self.rows("a\n\nb\n", insert, advises("XP902", "b"))
        assert advice.message == "b in line 3"

    def test_tells_what_it_finds_in_new_lines_where_it_was_found_that_wrote_them(self) -> None:
        insert = statements("XP901", "a", lambda c, s: _once(c, s))
        fix, advice = self.rows("    \nif x:\n  a\n\nb\n", insert, advises("XP902", "new"))
        assert (fix.message, fix.line, fix.column) == ("a", 3, 3)
        assert (advice.code, advice.line, advice.column, advice.end_column) == ("XP902", 3, 3, 4)
        assert (advice.message, advice.notes) == ("new in line 3 (added behind it)", ("in `new`, which XP901 writes",))

    def test_says_of_a_new_line_that_it_is_added(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            old, *new = [n for n in context.module.of_type(ast.Name) if n.id in ("b", "new")][::-1]
            yield old, f"see line {context.line(new[0])}" if new else "alone", []

        insert = statements("XP901", "a", lambda c, s: _once(c, s))
        (advice,) = [row for row in self.rows("a\nb\n", insert, rule("XP902", check)) if row.code == "XP902"]
        assert advice.message == "see line 2 (added before it)"

    def test_quotes_what_a_rule_says_of_its_own_work(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            for node in context.module.of_type(ast.Name):
                if node.id == "b":
                    yield context.module.statement(node), "b stands here", []

        first = renames("XP901", "a", "b")
        both = rule("XP901", lambda context: iter([*_found(first, context), *check(context)]))
        assert [(row.message, row.notes) for row in self.rows("y(a)\n", both)] == [
            ("b stands here", ("in `y(b)`, which XP901 writes",)), ("a in line 1", ()),
        ]  # fmt: skip

    def test_tells_the_finding_that_was_applied(self) -> None:
        def check(context: Context) -> Iterator[tuple[ast.AST, str, list[Edit]]]:
            for node in context.module.nodes:
                if isinstance(node, ast.Name) and node.id == "a":
                    ready = "ready" in context.module.text
                    yield node, "fix" if ready else "wait", [Replace(context.span(node), "c")] if ready else []

        rows = self.rows("a\nb\n", rule("XP901", check), renames("XP902", "b", "ready"))
        assert next((r.message, r.applicability, r.fixed) for r in rows) == ("fix", Applicability.SAFE, True)


PROGRAM = """
import sys
from xlaport import engine, registry
from xlaport.targets.known import target
text = open(sys.argv[1]).read()
found = engine.convert(text, "a.py", registry.load(), engine.Settings(target()))
print(found.text)
for finding in found.findings:
    print(finding)
"""


def test_the_result_is_the_same_for_every_hash_seed() -> None:
    sample = os.path.join(os.path.dirname(__file__), "..", "samples", "mnist", "train.py")
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, sample], check=True, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(4)
    }  # fmt: skip
    assert len(outputs) == 1
