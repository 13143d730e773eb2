import numpy as np
import torch

torch.manual_seed(0)
np.random.seed(0)
device = torch.device("cuda:0") if torch.cuda.is_available() else torch.device("cpu")
if torch.cuda.is_available():
    torch.cuda.manual_seed_all(0)
print(torch.rand(2, device=device).cpu())
