import torch


class Noise:
    def __init__(self, lengths):
        self.lengths = lengths

    def __call__(self, count):
        lengths = self.lengths.sample((count,))
        total = torch.cumsum(lengths, 0)
        while total[-1] < count:
            lengths = torch.cat([lengths, self.lengths.sample((count,))])
            total = torch.cumsum(lengths, 0)
        return total
