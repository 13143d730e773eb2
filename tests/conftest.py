"""What holds for each process that the tests start, and how Hypothesis draws.

The same examples each time, so that a run of CI says something of the change alone.
``HYPOTHESIS_PROFILE=search`` looks for new ones: at random, and many (docs/rule-authors.md).
"""

from __future__ import annotations

import os
import socket

from hypothesis import settings

QUICK = (
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
)
"""XLA's CPU compiler as fast as it goes: a third of the time; the code it makes is slower."""

settings.register_profile("fixed", derandomize=True)
settings.register_profile("search", max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# What an earlier run has found must not stand for what this one is to find out (tests/caching says otherwise).
os.environ["XLAPORT_NO_CACHE"] = "1"

# One thread: with more, torch's own wait for each other wherever something else runs.
os.environ["OMP_NUM_THREADS"] = "1"
# Of the time of small programs, most is XLA's compiling.
os.environ["XLA_FLAGS"] = QUICK

# Where processes meet, and one alone: torch_xla has the same port for all that run side by side.
with socket.create_server(("localhost", 0)) as _server:
    os.environ["MASTER_PORT"] = str(_server.getsockname()[1])

collect_ignore = ["snapshots"]  # the code of the cases, some of which are tests
