import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, config, n_layer, share=True):
        super().__init__()
        self.config = config
        self.n_layer = n_layer
        self.src = nn.Linear(10, 4)
        self.trg = nn.Linear(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        if config.tied and not self.n_layer > 2:
            self.out.weight = self.trg.weight
        elif config.tied:
            self.out.weight = self.src.weight
        if share is not None:
            self.trg.bias = self.src.bias


def main(config, resume):
    if resume:
        model = Model(config, 1)
    else:
        model = Model(config, 2, share=None)
    tied = model.out.weight is model.trg.weight
    was_tied = model.out.weight is model.src.weight
    tied_2 = model.trg.bias is model.src.bias
    model.cuda()
    if tied:
        model.out.weight = model.trg.weight
    if was_tied:
        model.out.weight = model.src.weight
    if tied_2:
        model.trg.bias = model.src.bias
