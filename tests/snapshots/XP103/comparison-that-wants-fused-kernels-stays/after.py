import torch
import torch_xla

device = "xla"
model = torch.nn.Linear(2, 2).to(device)
optimizer = torch.optim.AdamW(model.parameters(), fused=device == "cuda")
