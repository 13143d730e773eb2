"""Arrays and the like that change in place, in each of the ways there are."""

from collections import deque

import numpy as np


class Logger:
    def __init__(self):
        self.rows, self.last = [], deque([0.0, 0.0])
        self.filled, self.viewed = np.ones(2), np.ones(2)
        self.added, self.computed, self.copied, self.parted = np.ones(2), np.ones(2), np.ones(2), np.ones(2)

    def change(self, value):
        self.filled.fill(value)
        seen = np.asarray(self.viewed)
        seen[0] = value
        np.add.at(self.added, [0], value)
        np.add(self.computed, value, self.computed)
        np.copyto(dst=self.copied, src=value)
        self.parted.partition(1)
        self.last.rotate(1)

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows, self.filled, self.viewed, self.added, self.computed, self.copied, self.parted, self.last)
        self.rows.clear()
