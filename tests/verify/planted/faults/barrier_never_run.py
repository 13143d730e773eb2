# planted: no-barrier@loop
# says: none ran
# The results are kept on the device, and nobody asks for one: nothing is ever computed.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 8).to(device)

results = []
with torch.no_grad():
    for _ in range(12):
        results.append(model(torch.randn(4, 8).to(device)))  # <- loop
print(len(results))
