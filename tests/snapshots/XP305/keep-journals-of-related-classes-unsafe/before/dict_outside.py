"""The steps look at all that an object of a class has that derives from it."""


class Logger:
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()


class Sized(Logger):
    pass
