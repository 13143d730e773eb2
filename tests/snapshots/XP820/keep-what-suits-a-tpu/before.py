import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator(mixed_precision="bf16", dynamo_backend="no", gradient_accumulation_steps=4)
plain = Accelerator(mixed_precision="no", fsdp_plugin=None)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = accelerator.prepare(model, optimizer)
