import torch
from torch import nn


class Trainer:
    def __init__(self, model, batches):
        self.model = model.to("cuda")
        self.batches = batches
        self.log = {}
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self):
        losses = []
        for x in self.batches:
            losses.append(self.step(x.to("cuda")))
        return losses

    def step(self, x):
        out = self.model(x)
        loss = out.pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

        with torch.no_grad():
            self.log["error"] = torch.mean((out - x) ** 2).detach().cpu().item()

        return loss.detach().cpu().item()


def plain(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    log = {}
    for x in batches:
        out = model(x.to("cuda"))
        loss = out.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log["spread"] = (out - out.mean()).abs().mean().item()
        print(log["spread"])


batches = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8, drop_last=True)
print(Trainer(nn.Linear(4, 4), batches).train())
plain(nn.Linear(4, 4).to("cuda"), batches)
