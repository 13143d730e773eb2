"""Another attribute has the same list."""


class Logger:
    def __init__(self):
        self.rows = []
        self.view = self.rows

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows[-1:])
