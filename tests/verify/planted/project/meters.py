"""The meters of a project, in a file of their own."""


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, value, n=1):
        self.sum += value.item() * n  # <- meter
        self.count += n


class Accuracy:
    def __init__(self):
        self.correct = self.seen = 0

    def update(self, outputs, targets):
        hits = outputs.argmax(1) == targets
        self.correct += int(hits.sum())  # <- accuracy
        self.seen += len(targets)
