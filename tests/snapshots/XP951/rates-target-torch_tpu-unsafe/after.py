import torch
import time


class RateTracker:
    """Samples a second, smoothed over the calls of rate() and since the start: the same as torch_xla's."""

    def __init__(self, smooth_factor=0.4):
        self.smooth_factor, self.smoothed = smooth_factor, None
        self.start = self.last = time.time()
        self.count = self.counted = 0.0

    def add(self, count):
        self.count += count

    def rate(self):
        now = time.time()
        if now <= self.last:
            return 0.0
        rate = self.count / (now - self.last)
        if self.smoothed is not None:
            rate += self.smooth_factor * (self.smoothed - rate)
        self.counted, self.count, self.last, self.smoothed = self.counted + self.count, 0.0, now, rate
        return rate

    def global_rate(self):
        passed = time.time() - self.start
        return (self.counted + self.count) / passed if passed > 0 else 0.0


def train(model):
    loader = [torch.zeros(8, 2)] * (60000 // 8)
    tracker = RateTracker()
    for x in loader:
        model(x)
        tracker.add(8)
    print(tracker.rate(), tracker.global_rate())


class Slow:
    def __init__(self):
        self.tracker = RateTracker(smooth_factor=0.1)
