"""How Hypothesis draws: the same examples each time, so that a run of CI says something of the change alone.

``HYPOTHESIS_PROFILE=search`` looks for new ones: at random, and many (docs/rule-authors.md).
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("fixed", derandomize=True)
settings.register_profile("search", max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# What an earlier run has found must not stand for what this one is to find out (tests/caching says otherwise).
os.environ["XLAPORT_NO_CACHE"] = "1"

collect_ignore = ["snapshots"]  # the code of the cases, some of which are tests
