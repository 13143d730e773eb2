import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

last = torch.zeros(1, 4, device=device)
for step in range(1000):
    x = torch.randn(1, 4, device=device)
    out = model(x)
    loss = out.mean()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if norm > 100:
        optimizer.zero_grad()
    optimizer.step()
    if torch.allclose(out, last):
        last = last + 1
    if out.equal(last) and norm < 3:
        last = last * 2
    if bool((out > 3).all()):
        last = out.detach()
