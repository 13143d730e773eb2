"""Mutated programs that nobody would write, and what has to hold for each: see ``python -m tools.fuzz --help``."""
