import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
samples = torch.randn(1000, 8, device=device)
for step in range(1000):
    loss = model(torch.randn(4, 8, device=device)).mean()
    if step % 100 == 0:
        shown = samples[step : step + 4] ** step
        print(f"{step}: {loss.item()}")
        torch.save(model.state_dict(), f"model{step}.pt")
    progress = step / 1000
    if not step % 50 and step > 10:
        print(samples[step])
    if progress > 0.5 and step not in (1, 2):
        loss = loss * 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
