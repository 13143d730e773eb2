"""The decoder gets a copy of the weights: nothing is tied."""
import torch
from torch import nn


class Copier(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.project = nn.Linear(width, words, bias=False)
        source, sink = self.embed, self.project
        shared = source.weight
        sink.weight = nn.Parameter(shared.detach().clone())

    def forward(self, ids):
        return self.project(self.embed(ids))


model = Copier(30, 8)
model.cuda()  # never: XP205
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(10):
    ids = torch.randint(30, (4, 9), device="cuda")
    loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
