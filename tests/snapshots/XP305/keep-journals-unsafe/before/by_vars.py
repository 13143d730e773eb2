"""Another method looks at all that it has."""


class Logger:
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()

    def size(self):
        return len(vars(self)["rows"])
