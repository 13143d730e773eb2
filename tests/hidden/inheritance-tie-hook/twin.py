"""The subclass's hook only initializes the weights."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, words=18, width=6):
        super().__init__()
        self.inp = nn.Embedding(words, width)
        self.out = nn.Linear(width, words, bias=False)
        self.finish()

    def finish(self):
        pass

    def forward(self, ids):
        return self.out(self.inp(ids))


class Tied(Base):
    def finish(self):
        nn.init.zeros_(self.out.weight)


model = Tied().to("cuda")  # never: XP205
rule = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(8):
    ids = torch.randint(18, (4, 5), device="cuda")
    loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())
