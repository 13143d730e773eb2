import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scales = torch.linspace(0.9, 0.1, 8).to(device)

for step, batch in enumerate(DataLoader(torch.zeros(32, 8), batch_size=4)):
    batch = batch.to(device)
    noise = model(batch)
    scale = torch.full((4, 1), scales[step], device=device)
    shift = torch.full_like(batch, fill_value=noise.mean())
    limit = batch.new_full((4, 8), batch.max())
    floor = torch.empty_like(batch)
    floor.fill_(batch.min())
    loss = (noise * scale + shift).clamp(floor, limit).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
