"""Means, kept by keys in variables of the file."""

from collections import defaultdict

VALUES, COUNTS = defaultdict(float), defaultdict(int)


def mean(key, value):
    VALUES[key] += value
    COUNTS[key] += 1


def dump():
    print(", ".join(f"{key} {value / COUNTS[key]:.4f}" for key, value in sorted(VALUES.items())))
    VALUES.clear()
    COUNTS.clear()
