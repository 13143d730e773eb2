"""A logger."""


class Logger:
    def __init__(self):
        self.steps = 0
        self.running = {}

    def push(self, metrics):
        self.steps += 1
        for key in metrics:
            self.running[key] = self.running.get(key, 0.0) + metrics[key]
        if self.steps % 100 == 0:
            print({name: value / 100 for name, value in self.running.items()})
            self.running.clear()
