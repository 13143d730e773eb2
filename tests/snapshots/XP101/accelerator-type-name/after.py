import torch
import torch_xla

device = torch_xla.device().type if torch.accelerator.is_available() else "cpu"
model = torch.nn.Linear(2, 2).to(device)
