import torch
from torch import nn
from collections import OrderedDict


class Tied(nn.Module):
    def __init__(self, tied=True):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        if tied:
            self.out.weight = self.emb.weight


class Whole(nn.Module):
    def __init__(self, decoder, args):
        super().__init__()
        self.decoder = decoder
        self.encoder = Tied(args.tie_encoder)
        self.more = nn.Sequential(Tied(), nn.ReLU())
        self.named = nn.ModuleDict({"a": Tied(), "b": nn.Linear(4, 4)})


def main(args):
    decoder = Tied()
    model = Whole(decoder, args)
    was_tied = model.encoder.out.weight is model.encoder.emb.weight
    model.to("cuda")
    model.decoder.out.weight = model.decoder.emb.weight
    if was_tied:
        model.encoder.out.weight = model.encoder.emb.weight
    model.more[0].out.weight = model.more[0].emb.weight
    model.named.a.out.weight = model.named.a.emb.weight
