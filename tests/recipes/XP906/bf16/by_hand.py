import torch
import torch_xla

model = torch.nn.Linear(8, 1).to(torch_xla.device()).to(torch.bfloat16)
print(model(torch.ones(1, 8).to(torch_xla.device(), torch.bfloat16)).shape)
