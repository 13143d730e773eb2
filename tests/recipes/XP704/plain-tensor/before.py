import torch
import torch_xla
from torch import nn

device = torch_xla.device()


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.scale = torch.ones(4).to(device)

    def forward(self, x):
        return self.layer(x) * self.scale


torch.save(Scaled().to(device), "scaled.pt")
model = torch.load("scaled.pt", weights_only=False)
model.to(device)
print(model(torch.ones(1, 4).to(device)).shape)
