import torch
import torch_xla

device = "xla"
model = torch.nn.Linear(2, 2).to(device)
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
