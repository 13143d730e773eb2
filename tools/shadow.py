"""The new analysis in the shadow of the old: ``python -m tools.shadow TREE…`` compares what they know of expressions.

Prints how many expressions both know alike, one alone knows, or both know otherwise, with the most frequent kinds of
these and a place for each; and the CPU time of the analysis as a multiple of parsing's.
"""

from __future__ import annotations

import ast
import sys
import time
from collections import Counter
from pathlib import Path

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.library import role_of
from xlaport.config import Config
from xlaport.facts.roles import roles_of
from xlaport.garbage import seldom_collected
from xlaport.work import prepare, read

_SHOWN = 25
_NOT_ASKED = (ast.Slice, ast.Starred, ast.FormattedValue, ast.Yield, ast.YieldFrom, ast.Constant)


def main() -> None:
    """Run the command line."""
    kinds: Counter[str] = Counter()
    differing: Counter[tuple[str, str, str, str]] = Counter()
    places: dict[tuple[str, str, str, str], str] = {}
    parsing = analysing = 0.0
    runs = 0
    for tree in map(Path, sys.argv[1:]):
        work = prepare(read([tree], Config()))
        analysis = Analysis(work.program)
        files = [file for file in work.program.files if b"torch" in work.program.data(file)]
        start = time.process_time()
        for file in files:
            try:
                ast.parse(work.program.data(file))
            except (SyntaxError, ValueError):
                continue
        parsing += time.process_time() - start
        modules = {file: work.program.facts(file) for file in files}
        start = time.process_time()
        with seldom_collected():
            analysis.run(files)
        analysing += time.process_time() - start
        runs += analysis.runs
        for file, facts in modules.items():
            if facts is None:
                continue
            roles = roles_of(facts)
            for node in facts.module.nodes:
                asked = isinstance(node, ast.expr) and not isinstance(node, _NOT_ASKED) and node in analysis.values
                if not asked or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                    continue
                assert isinstance(node, ast.expr)
                old, new = roles.role(node), role_of(analysis.values[node])
                alike = "both unknown" if old is None is new else "same" if old is new else ""
                kind = alike or ("only the old" if new is None else "only the new" if old is None else "otherwise")
                kinds[kind] += 1
                if not alike:
                    names = str(old and old.value), str(new and new.value)
                    difference = kind, *names, type(node).__name__
                    differing[difference] += 1
                    places.setdefault(difference, f"{file}:{node.lineno}: {ast.unparse(node)[:60]}")
    known = kinds["same"] + kinds["only the old"] + kinds["otherwise"]
    print(f"analysis {analysing:.2f} s, {analysing / parsing:.2f} times the parse; {runs} bodies run")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"of {known} that the old one knows: {100 * kinds['same'] / known:.1f} % the same")
    for difference, count in differing.most_common(_SHOWN):
        print(f"{count:6} {difference[0]}: {difference[1]} / {difference[2]} ({difference[3]})  {places[difference]}")


if __name__ == "__main__":
    main()
