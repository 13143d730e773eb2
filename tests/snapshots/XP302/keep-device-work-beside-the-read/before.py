import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 3).to("xla")
with torch.no_grad():
    for x in [torch.rand(2, 4)] * 3:
        output = model(x.to("xla"))
        weighted = torch.sum(output) * output.mean().item()
        torch_xla.sync()
        print(weighted)
