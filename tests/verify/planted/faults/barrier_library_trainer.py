# planted: no-barrier
# The trainer of a library, made for CUDA, knows of no barrier.
import torch
import torch_xla
from pocket.training import Trainer
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

trainer = Trainer(model, optimizer, barrier=False)
trainer.fit(torch.randn(4, 8).to(device) for _ in range(9))  # <- here
