import torch
import torch_xla

device = "xla"
model = torch.nn.Linear(2, 2).to(device)
use_fused = device == "cuda"
optimizer = torch.optim.AdamW(model.parameters(), fused=use_fused)
