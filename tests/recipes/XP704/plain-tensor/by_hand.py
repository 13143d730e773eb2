import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.scale = torch.ones(4).to(device)

    def forward(self, x):
        return self.layer(x) * self.scale


first = Scaled().to(device)
xm.save({"model": first.state_dict(), "scale": first.scale}, "scaled.pt")
state = torch.load("scaled.pt", map_location="cpu")
model = Scaled()
model.load_state_dict(state["model"])
model.scale.copy_(state["scale"])
model.to(device)
print(model(torch.ones(1, 4).to(device)).shape)
