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
    is_known = project.modules.get(facts.file) is not None and project.facts(facts.file) is facts
    return project if is_known else Changed(project, facts)


def _project(program: Program, file: str) -> Analysis | None:
    """The analysis of the files of the run that a file is connected with by imports, one for all of these; or None.

    What a file around leads to that none of these calls, it is told of as of a text that has changed since.
    """
    groups: dict[str, list[str]] = program.once("groups", lambda: _groups(program))
    if file in groups:
        return _of_group(program, groups[file])
    near: dict[str, Analysis | None] = program.once("near", dict)
    if file not in near:
        near[file] = _near(program, file, groups)
    return near[file]


def _of_group(program: Program, files: list[str]) -> Analysis | None:
    """The analysis of some files, one for all of these; None where they do not fit into memory together."""
    return program.once(("analysis", files[0]), lambda: _run(program, files)) if files else None


def _near(program: Program, file: str, groups: dict[str, list[str]]) -> Analysis | None:
    """The first analysis that a file at a greater distance is met in, or what it imports."""
    starts = {files[0]: files for files in groups.values() if files}
    analyses = [found for files in starts.values() if (found := _of_group(program, files)) is not None]
    for others in ([file], program.graph.imported(file)):
        for analysis in analyses:
            if any(analysis.modules.get(other) is not None for other in others):
                return analysis
    return None


def _run(program: Program, files: list[str]) -> Analysis:
    analysis = Analysis(program)
    analysis.run(files)
    return analysis


def _groups(program: Program) -> dict[str, list[str]]:
    """For each file, the files of the run that it is connected with, in their order, and the few around that use these.

    None of it, where so many are connected that they do not fit into memory together.
    """
    own, found = frozenset(program.files), dict[str, list[str]]()
    for file in program.files:
        if file not in found:
            group = program.graph.connected([file])
            around = sorted(group & program.graph.imports.keys() - own)
            members = sorted(group & own)
            together = [*members, *(around if len(around) <= _MOST_CALLERS else ())]
            fits = sum(len(program.data(other)) for other in together) <= program.most_kept
            found.update(dict.fromkeys([*members, *sorted(group - own)], together if fits else []))
    return found
