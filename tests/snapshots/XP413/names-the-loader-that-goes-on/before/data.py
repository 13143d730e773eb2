import torch


class Collate:
    def __call__(self, batch):
        longest = max(len(x) for x in batch)
        out = torch.zeros(len(batch), longest)
        for i, x in enumerate(batch):
            out[i, : len(x)] = x
        return out
