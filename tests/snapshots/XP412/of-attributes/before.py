"""What an object's attributes hold is not known to be sizes: the mask is one of the data."""

import torch
from torch import nn

from graphs import graph_of, loader


class Mapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, graph, x):
        used = graph.degree_in + graph.degree_out > 0
        places = torch.arange(x.size(0), device=x.device)
        kept = (used & (places > 2)).nonzero().squeeze(-1)
        return self.layer(x)[kept]


model = Mapped().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in loader:
    loss = model(graph_of(x), x.cuda()).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
