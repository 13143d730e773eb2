import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

for epoch in range(3):
    for step in range(8):
        loss = model(torch.randn(4, 8).to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        total = torch.zeros((), device=device)
        for _ in range(3):
            total += model(torch.randn(16, 8).to(device)).square().mean()
        print(total.item())
    model.train()
