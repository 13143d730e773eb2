"""Its file is closed behind the loop, when the closures may not have run."""


class Logger:
    def __init__(self, path):
        self.file = open(path, "a")
        self.lines = []

    def add(self, value):
        self.lines.append(f"{value}")

    def dump(self):
        self.file.write("\n".join(self.lines))
        self.lines.clear()

    def end(self):
        self.file.close()
