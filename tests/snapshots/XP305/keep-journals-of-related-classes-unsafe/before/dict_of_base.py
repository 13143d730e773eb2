"""The class that it derives from looks at all that it has."""


class Base:
    def size(self):
        return len(self.__dict__["rows"])


class Sized(Base):
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)

    def dump(self):
        print(self.rows)
        self.rows.clear()
