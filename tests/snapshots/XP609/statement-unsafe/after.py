import torch
import torch_xla.core.xla_model as xm


class Meter:
    def __init__(self, device):
        self.total = torch.zeros(1, device=device)

    def reduce(self):
        self.total = xm.all_reduce("sum", self.total)
        return self.total.item()


def mean(loss, count):
    total = loss.detach() * count
    total = xm.all_reduce(xm.REDUCE_SUM, total, scale=0.5)
    return total.sum()
