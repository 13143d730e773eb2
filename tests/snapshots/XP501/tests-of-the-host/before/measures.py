import torch


class Spread:
    def of(self, x):
        count = torch.tensor([x.shape[0]], device=x.device)
        return x.sum(0) / count.double()
