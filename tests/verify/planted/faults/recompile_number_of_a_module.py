# planted: recompile@cause seen@barrier
# A number that a module keeps, and that changes.
# says: model.gamma, a Python number at recompile_number_of_a_module.py
# says: pass it as a tensor on the TPU
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)


class Focal(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = 1.0
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        p = self.layer(x).sigmoid()
        return ((1 - p) ** self.gamma * p.log()).mean()  # <- cause


model = Focal().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    model.gamma = 1.5 + step / 10
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).backward()
    optimizer.step()
    torch_xla.sync()  # <- barrier
