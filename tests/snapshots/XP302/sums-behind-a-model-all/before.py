import torch
from torch import nn


class Evaluator:
    def __init__(self, model, data):
        self.model = model
        self.data = data

    def evaluate(self, memory):
        model = self.model
        n_valid, xe = 0, 0
        kept = []
        for x, y in self.data:
            x, y = x.cuda(), y.cuda()
            with torch.no_grad():
                scores = model(x)
            loss = scores.mean()
            xe += loss.item() * len(y)
            n_valid += (scores.max(1)[1] == y).sum().item()
            if memory:
                for k, v in memory:
                    kept.append((v.last, v.other))
        return n_valid, xe


Evaluator(nn.Linear(4, 4).cuda(), [(torch.ones(6, 4), torch.ones(6))] * 3).evaluate([])
