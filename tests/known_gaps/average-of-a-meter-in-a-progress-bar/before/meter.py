class Meter:
    def __init__(self):
        self.avg, self.sum, self.count = 0, 0, 0

    def update(self, value):
        self.sum += value
        self.count += 1
        self.avg = self.sum / self.count
