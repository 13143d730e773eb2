"""What it looks at is a dict of its maker, who changes it in steps."""

class Logger:
    def __init__(self, options):
        self.options, self.rows = options, []

    def add(self, value):
        self.rows.append((self.options["step"], round(value, 4)))

    def dump(self):
        print(self.rows)
        self.rows.clear()
