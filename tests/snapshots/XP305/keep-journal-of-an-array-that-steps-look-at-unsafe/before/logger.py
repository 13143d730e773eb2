"""The steps look at an array that it fills."""

import numpy as np


class Logger:
    def __init__(self):
        self.rows, self.last = [], np.zeros(2)

    def add(self, value):
        self.rows.append(value)
        self.last.fill(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()
