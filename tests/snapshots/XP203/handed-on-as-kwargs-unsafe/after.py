import torch
import torch_xla
from torch import nn
class Trainer:
    def __init__(self, **kwargs):
        self.device = kwargs["device"]
        self.model = kwargs.pop("model")
        self.model.to(self.device)
        self.optimizer = kwargs["optimizer"]
    def fit(self, loader):
        for x, y in loader:
            loss = self.model(x.to(self.device)).sum()
            loss.backward()
            self.optimizer.step()
model = nn.Linear(2, 2)
model.to(torch_xla.device())
opt = torch.optim.SGD(model.parameters(), lr=.1)
Trainer(model=model, optimizer=opt, device=torch.device("cuda")).fit([])
