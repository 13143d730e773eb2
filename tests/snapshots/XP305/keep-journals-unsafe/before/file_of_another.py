"""It asks a file that others write to, too."""


class Logger:
    def __init__(self, file):
        self.file, self.rows = file, []

    def add(self, value):
        self.rows.append((self.file.tell(), round(value, 4)))

    def dump(self):
        print(self.rows)
        self.rows.clear()
