"""What runs on torch_tpu needs a Python that has it: the command that runs a script so, in a variable."""

from __future__ import annotations

import os

RUNNER = "XLAPORT_TORCH_TPU"

collect_ignore = [] if os.environ.get(RUNNER) else ["test_answers.py"]
