"""The order in which functions are run that nobody is seen to call: those first that call others of them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from xlaport.analysis.definitions import Function


def callers_first(uncalled: list[Function]) -> Iterator[Function]:
    """Some functions, each behind those of them that call something by its name; in circles, constructors first."""
    by_name: dict[str, list[Function]] = {}
    callers: Counter[str] = Counter()
    for function in uncalled:
        callers.update(function.scope.called)
        for name in _called_by(function):
            by_name.setdefault(name, []).append(function)

    def is_free(function: Function) -> bool:
        return all(callers[name] <= (name in function.scope.called) for name in _called_by(function))

    left = set(uncalled)
    others = iter([*(f for f in uncalled if f.name == "__init__"), *uncalled])
    free = deque(filter(is_free, uncalled))
    while left:
        function = free.popleft() if free else next(others)
        if function not in left:
            continue
        left.remove(function)
        yield function
        for name in function.scope.called:
            callers[name] -= 1
            if callers[name] < 2:
                free.extend(filter(is_free, by_name.get(name, ())))


def _called_by(function: Function) -> list[str]:
    """The names by which a function is called: a constructor by those of its class, and of what derives from it."""
    if function.name != "__init__" or function.owner is None:
        return [function.name]
    return ["__init__", function.owner.node.name, *(heir.node.name for heir in function.owner.heirs)]
