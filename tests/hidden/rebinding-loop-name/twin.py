"""The loop's name goes over the frozen models only."""
import torch
from torch import nn

encoder, decoder = nn.Linear(20, 6), nn.Linear(6, 20)
prior, judge = nn.Linear(6, 6), nn.Linear(20, 1)
encoder.cuda(), decoder.cuda()
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)  # never: XP203
for part in (prior, judge):
    part.cuda()
    part.train()

for step in range(15):
    x = torch.rand(16, 20, device="cuda")
    code = encoder(x)
    loss = (decoder(code) - x).pow(2).mean() + prior(code).pow(2).mean() - judge(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", loss.item())
