import torch
import torch_xla
from torch import nn
class Trainer:
    def __init__(self, model, optimizer, device):
        self.device = device
        self.model = model
        self.optimizer = optimizer
        pass
    def fit(self, loader):
        self.model.to(self.device)
        for x, y in loader:
            loss = self.model(x.to(self.device)).sum()
            loss.backward()
            self.optimizer.step()
model = nn.Linear(2, 2)
model.to(torch_xla.device())
opt = torch.optim.SGD(model.parameters(), lr=.1)
trainer = Trainer(model, opt, torch.device("cuda"))
trainer.fit([])
