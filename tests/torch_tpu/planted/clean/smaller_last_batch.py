# says: the last batch of the loader
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

data = torch.utils.data.TensorDataset(torch.randn(46, 8))
for epoch in range(3):
    for (rows,) in torch.utils.data.DataLoader(data, batch_size=4, shuffle=True):
        loss = model(rows.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
