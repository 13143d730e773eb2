"""Others look at it by a name."""


class Logger:
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()
