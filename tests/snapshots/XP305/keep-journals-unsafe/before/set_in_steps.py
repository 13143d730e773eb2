"""The steps set what it keeps."""

from collections import defaultdict


class Logger:
    def __init__(self):
        self.values, self.counts = defaultdict(float), defaultdict(int)

    def mean(self, key, value):
        self.values[key] += value
        self.counts[key] += 1

    def dump(self):
        print({key: value / self.counts[key] for key, value in self.values.items()})
        self.values.clear()
        self.counts.clear()


LOGGER = Logger()


def mean(key, value):
    LOGGER.mean(key, value)


def dump():
    LOGGER.dump()
