"""How Hypothesis draws: the same examples each time, so that a run of CI says something of the change alone.

``HYPOTHESIS_PROFILE=search`` looks for new ones: at random, and many (CONTRIBUTING.md).
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("fixed", derandomize=True)
settings.register_profile("search", max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

collect_ignore = ["snapshots"]  # the code of the cases, some of which are tests
