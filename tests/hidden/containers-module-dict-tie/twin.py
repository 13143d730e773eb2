"""setattr sets a new parameter of its own."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict()
        self.parts["enc"] = nn.Linear(6, 6, bias=False)
        self.parts["dec"] = nn.Linear(6, 6, bias=False)
        setattr(self.parts["dec"], "weight", nn.Parameter(torch.eye(6)))

    def forward(self, x):
        for part in self.parts.values():
            x = part(x)
        return x


models = [Model()]
models[0].to("cuda")  # never: XP205
rule = torch.optim.SGD(models[0].parameters(), lr=0.1)
for _ in range(8):
    loss = models[0](torch.randn(4, 6, device="cuda")).pow(2).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())
