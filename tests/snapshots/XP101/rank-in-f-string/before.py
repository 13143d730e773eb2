import os

import torch

rank = int(os.environ["LOCAL_RANK"])
device = torch.device(f"cuda:{rank}")
