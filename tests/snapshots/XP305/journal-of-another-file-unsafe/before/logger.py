from collections import defaultdict


class Logger:
    CURRENT = None

    def __init__(self, path):
        self.values, self.counts = defaultdict(float), defaultdict(int)
        self.path = path

    def mean(self, key, value):
        old, count = self.values[key], self.counts[key]
        self.values[key] = old * count / (count + 1) + value / (count + 1)
        self.counts[key] = count + 1

    def count(self, key, number):
        self.counts[key] += number

    def dump(self):
        with open(self.path, "a") as file:
            file.write("%d steps: " % self.counts.pop("steps"))
            file.write(",".join(str(value) for _, value in sorted(self.values.items())) + "\n")
        self.values.clear()
        self.counts.clear()


def current():
    if Logger.CURRENT is None:
        Logger.CURRENT = Logger("log.csv")
    return Logger.CURRENT


def mean(key, value):
    current().mean(key, value)


def count(key, number):
    current().count(key, number)


def dump():
    current().dump()
