"""What the launcher has set, read before the script runs: it may clear the environment."""

from __future__ import annotations

import os

SETTINGS = {name: value for name, value in os.environ.items() if name.startswith("XLAPORT_")}
"""The environment variables that are xlaport's own, by name."""
