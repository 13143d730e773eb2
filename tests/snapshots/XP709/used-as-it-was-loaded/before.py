import sys

import torch

device = torch.device("cuda")
model = torch.load(sys.argv[1], map_location="cpu")["model"]
model = model.to(device)
model.eval()
print(model(torch.ones(1, 2, device=device)).sum().item())
