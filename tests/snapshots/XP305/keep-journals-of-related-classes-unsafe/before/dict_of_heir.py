"""A class that derives from it looks at all that it has."""


class Logger:
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()


class Sized(Logger):
    def size(self):
        return len(self.__dict__["rows"])
