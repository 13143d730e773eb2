"""Programs of command lines."""

from __future__ import annotations

NOT_RUNNING = frozenset("echo printf grep sed awk git pip pip3 conda mamba apt apt-get yum cmake which pytest".split())
"""Programs whose words are no options of the user's program."""
