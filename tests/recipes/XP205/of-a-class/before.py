import torch
import torch_xla
from torch import nn

device = torch_xla.device()
class Memory(nn.Module):
    VALUES = nn.Parameter(torch.ones(8, 4))

    def __init__(self):
        super().__init__()
        self.values = nn.Embedding(8, 4)
        self.values.weight = self.VALUES


model = nn.ModuleList([Memory(), Memory()])
model.to(device)
print(sum(m.values.weight.sum() for m in model).item())
