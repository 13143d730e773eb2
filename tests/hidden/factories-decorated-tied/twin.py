"""The registered name that is asked for ties nothing."""
import torch
from torch import nn

REGISTRY = {}


def register(name):
    def keep(cls):
        REGISTRY[name] = cls
        return cls
    return keep


@register("tied")
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.out = nn.Embedding(20, 6), nn.Linear(6, 20, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, ids):
        return self.out(self.emb(ids))


model = register("flat")(nn.Sequential)(nn.Embedding(20, 6), nn.Linear(6, 20, bias=False))
model = model.cuda()  # never: XP205
rule = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(8):
    ids = torch.randint(20, (4, 5)).cuda()
    loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())
