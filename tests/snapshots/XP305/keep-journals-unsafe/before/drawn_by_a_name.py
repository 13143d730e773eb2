"""It draws numbers from what the steps draw from, too, by a name of its own."""

import numpy


class Logger:
    def __init__(self):
        self.np, self.rows = numpy, []

    def add(self, value):
        self.np.random.shuffle(self.rows)
        self.rows.append(round(value, 4))

    def dump(self):
        print(self.rows)
        self.rows.clear()
