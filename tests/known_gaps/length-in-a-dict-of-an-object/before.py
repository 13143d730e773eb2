import torch
from torch import nn

model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).cuda()
optimizer = torch.optim.Adam(model.parameters())
text = torch.randint(30, (6, 64)).cuda()


class Trainer:
    def __init__(self):
        self.config = {"length": 4}

    def step(self, ids):
        loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def train(self):
        for _ in range(30):
            self.step(text[:, : self.config["length"]])
            self.config["length"] += 1


Trainer().train()
