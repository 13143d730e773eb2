import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

model = nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    model(torch.randn(8, 4, device="cuda")).mean().backward()
    clip_grad_norm_(model.parameters(), 1.0)
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=False)
    optimizer.step()
clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
