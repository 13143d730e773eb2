# A cache of its full length from the start, written at a place that is a tensor.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
qkv = nn.Linear(8, 24).to(device)
cache = torch.zeros(2, 1, 16, 8).to(device)
position = torch.zeros(1, dtype=torch.long).to(device)
places = torch.arange(16).to(device)
x = torch.randn(1, 1, 8).to(device)
with torch.no_grad():
    for _ in range(10):
        q, k, v = qkv(x).chunk(3, -1)
        cache = cache.index_copy(2, position, torch.stack([k, v]))
        scores = (q @ cache[0].transpose(1, 2)).masked_fill(places > position, float("-inf"))
        x = scores.softmax(-1) @ cache[1]
        position = position + 1
        torch_xla.sync()
