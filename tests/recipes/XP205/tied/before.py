import torch
import torch_xla
from torch import nn

device = torch_xla.device()
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(8, 4)
        self.out = nn.Linear(4, 8, bias=False)

    def forward(self, x):
        return self.out(self.emb(x))


def build(tie):
    model = Tied()
    if tie:
        model.out.weight = model.emb.weight
    return model


model = build(True)
model = model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for n in range(4):
    loss = model(torch.arange(8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
