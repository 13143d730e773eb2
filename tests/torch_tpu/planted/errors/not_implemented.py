# planted: script-failed
# says: is not implemented for TPU
# says: torch_tpu has no kernel
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

for step in range(8):
    scores = model(torch.randn(4, 8).to(device))
    loss = torch.kthvalue(scores, 2, 0).values.sum()  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
