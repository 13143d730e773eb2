"""It looks at the learning rate, which the steps change."""

class Logger:
    def __init__(self, optimizer):
        self.optimizer, self.rows = optimizer, []

    def add(self, value):
        self.rows.append((round(self.optimizer.param_groups[0]["lr"], 4), round(value, 4)))

    def dump(self):
        print(self.rows)
        self.rows.clear()
