"""What a name must be, from the methods that a function or a class calls on it, where nothing else says what it is."""

from __future__ import annotations

from collections.abc import Set

from xlaport.analysis import value as types
from xlaport.analysis.scopes import CALLED, DIFFERENTIATED, UNSCALED
from xlaport.analysis.value import Certainty, Value
from xlaport.facts import vocabulary


def shown_by(uses: Set[str], path: str, line: int) -> Value | None:
    """What uses show."""
    shown = uses & vocabulary.MODULE_USES
    if UNSCALED in uses or "param_groups" in uses or (uses >= {"zero_grad", "step"} and CALLED not in uses):
        kind, phrase = types.OPTIMIZER, f"{path} is used as an optimizer"
    elif len(shown) >= 2 or (shown and uses & {"state_dict", "load_state_dict", CALLED}):
        kind, phrase = types.MODULE, f"{path} is used as a model"
    elif uses & vocabulary.DISTRIBUTION_USES:
        kind, phrase = types.OBJECT, f"{path} is used as a distribution"
    elif DIFFERENTIATED in uses:
        kind, phrase = types.TENSOR, f"{path}.backward() is called"
    else:
        return None
    return Value(kind, certainty=Certainty.ASSUMED, because=phrase, line=line)
