import sys

import torch

dtype = torch.float16 if sys.argv[1] == "half" else torch.bfloat16
scaler = torch.amp.GradScaler("cuda")
with torch.autocast("cuda", dtype=dtype):
    loss = torch.nn.Linear(4, 4).to("cuda", dtype)(torch.ones(2, 4, device="cuda", dtype=dtype)).sum()
