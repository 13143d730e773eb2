"""What the expressions of a file may be, as its project uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.changed import Changed
from xlaport.analysis.value import Value
from xlaport.facts.program import Facts, Program

_MOST_CALLERS = 12
"""What more files around the run import is a general thing: they will hardly agree on what they pass."""


def values_of(facts: Facts) -> Mapping[ast.AST, Value]:
    """The values of a file's expressions and targets."""
    return analysis_of(facts).values


def analyse(program: Program, files: Iterable[str]) -> None:
    """Analyse what files are connected with, before several processes share the work on them."""
    for file in files:
        _project(program, file)


def analysis_of(facts: Facts) -> Analysis:
    """The analysis of a file in the text that it has now, with all that it is connected with."""
    return facts.once("analysis", lambda: _analysis_of(facts))


def _analysis_of(facts: Facts) -> Analysis:
    project = _project(facts.program, facts.file)
    if project is None:
        alone = Analysis(facts.program, facts)
        alone.run([facts.file])
        return alone
    return project if project.facts(facts.file) is facts else Changed(project, facts)


def _project(program: Program, file: str) -> Analysis | None:
    """The analysis of what a file of the run is connected with by imports, one for all of these; None for another."""
    files = _connected(program, file)
    return program.once(("analysis", files[0]), lambda: _run(program, files)) if files else None


def _run(program: Program, files: list[str]) -> Analysis:
    analysis = Analysis(program)
    analysis.run(files)
    return analysis


def _connected(program: Program, file: str) -> list[str]:
    """The files of the run that one is connected with, in their order, and the few around that import these.

    None of it, where so many are connected that they do not fit into memory together.
    """
    groups: dict[str, list[str]] = program.once("groups", lambda: _groups(program))
    return groups.get(file, [])


def _groups(program: Program) -> dict[str, list[str]]:
    own, found = frozenset(program.files), dict[str, list[str]]()
    for file in program.files:
        if file not in found:
            group = program.graph.connected([file])
            around = sorted(group & program.graph.imports.keys() - own)
            members = sorted(group & own)
            together = [*members, *(around if len(around) <= _MOST_CALLERS else ())]
            fits = sum(len(program.data(other)) for other in together) <= program.most_kept
            found.update(dict.fromkeys(members, together if fits else []))
    return found
