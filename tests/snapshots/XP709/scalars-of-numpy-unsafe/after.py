import sys

import numpy as np
import torch
from torch import nn


class Scores:
    def __init__(self, n):
        self.matrix = np.ones((n, n))

    def mean(self):
        shares = np.diag(self.matrix) / np.sum(self.matrix, axis=1)
        shares = np.nanmean(shares)
        return shares


class Saver:
    def save(self, state, path="last.pt"):
        torch.save(state, path)


class Trainer:
    def __init__(self):
        self.saver = Saver()
        self.scores = Scores(3)
        self.best = 0.0
        self.model = nn.Linear(4, 2).cuda()
        if len(sys.argv) > 1:
            checkpoint = torch.load(sys.argv[1], map_location="cpu", weights_only=False)
            self.model.load_state_dict(checkpoint["model"])
            self.best = checkpoint["best"]

    def validate(self):
        mean = self.scores.mean()
        if mean > self.best:
            self.best = mean
            self.saver.save({"model": self.model.state_dict(), "best": self.best})


Trainer().validate()
