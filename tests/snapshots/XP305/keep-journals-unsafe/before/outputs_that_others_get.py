"""What it shows by is kept by its file, too, and the steps put more into that."""

KEPT = []


class Logger:
    def __init__(self, outputs):
        KEPT.append(outputs)
        self.outputs, self.rows = outputs, []

    def add(self, value):
        self.rows.append(round(value, 4))

    def dump(self):
        for name in self.outputs:
            print(name, self.rows)
        self.rows.clear()
