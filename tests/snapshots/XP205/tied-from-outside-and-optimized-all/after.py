import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(4, 3)
        self.out = nn.Linear(3, 4)

    def tie_weights(self):
        self.out.weight = self.emb.weight


model = Net()
model.tie_weights()
model.to(torch_xla.device())
model.out.weight = model.emb.weight
optimizer = torch.optim.SGD(model.parameters(), 0.1)
