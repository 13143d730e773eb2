import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scales = torch.linspace(0.9, 0.1, 8)
sizes = [0.5, 0.25]
largest = scales.to(device).max()
top = torch.full((4, 8), largest, device=device)

for step, batch in enumerate(DataLoader(torch.zeros(32, 8), batch_size=4)):
    batch = batch.to(device)
    scale = torch.full((4, 1), scales[step], device=device)
    shift = torch.full_like(batch, sizes[step % 2])
    limit = torch.empty(4, 8, device=device).fill_(2.0)
    loss = (model(batch) * scale + shift).clamp(max=limit).minimum(top).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
