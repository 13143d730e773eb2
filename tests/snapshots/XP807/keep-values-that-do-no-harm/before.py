import torch
from mylib import Adam

net = torch.nn.Linear(2, 2)
a = torch.optim.AdamW(net.parameters(), lr=0.1, fused=False)
b = Adam(net.parameters(), fused=True)
c = dict(fused=True, device_map="auto")
