"""A loop binds one name to each model in turn, and moves it."""
import torch
from torch import nn

encoder, decoder = nn.Linear(20, 6), nn.Linear(6, 20)
prior, judge = nn.Linear(6, 6), nn.Linear(20, 1)
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)  # wants: XP203
for part in (encoder, decoder, prior, judge):
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
