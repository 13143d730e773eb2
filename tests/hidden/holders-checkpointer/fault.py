"""A checkpoint object saves the parts that were registered with it: a model."""
import torch
from torch import nn


class Checkpointer:
    def __init__(self, path):
        self.path, self.parts = path, {}

    def register(self, name, part):
        self.parts[name] = part

    def write(self):
        full = {}
        for name, part in self.parts.items():
            full[name] = part.state_dict() if hasattr(part, "state_dict") else part
        torch.save(full, self.path)  # wants: XP702


model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
keeper = Checkpointer("/tmp/hidden_checkpointer.pt")
keeper.register("model", model)
for epoch in range(4):
    loss = model(torch.randn(8, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
keeper.write()
