# planted: fallback
# Sampling by searchsorted in each step of a generation.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
embed, head = nn.Embedding(16, 8).to(device), nn.Linear(8, 16).to(device)
token = torch.zeros(1, dtype=torch.long).to(device)
with torch.no_grad():
    for position in range(9):
        p = head(embed(token)).softmax(-1)
        token = torch.searchsorted(p.cumsum(-1), torch.rand(1, 1).to(device))[0].clamp(max=15)  # <- here
        torch_xla.sync()
