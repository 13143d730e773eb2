import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
torch.save(np.zeros(3), "array.pt")
torch.save({"epoch": 3, "names": ["a", "b"]}, "meta.pt")
torch.save(torch.get_rng_state(), "rng.pt")
torch.save({k: v.cpu() for k, v in model.state_dict().items()}, "weights.pt")
torch.save(model.cpu().state_dict(), "weights.pt")
torch.save(model(torch.zeros(1, 4, device=device)).detach().cpu(), "logits.pt")
features = [torch.zeros(3), torch.ones(3)]
torch.save(features, "features.pt")
