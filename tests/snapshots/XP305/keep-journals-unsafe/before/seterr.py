"""It sets how all of NumPy computes."""

import numpy as np


class Logger:
    def __init__(self):
        self.rows = []

    def add(self, value):
        np.seterr(all="ignore")
        self.rows.append(np.log(value))

    def dump(self):
        print(self.rows)
        self.rows.clear()
