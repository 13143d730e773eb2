import sys

import torch

dtype = None
if sys.argv[1] == "fp16":
    dtype = torch.float16
elif sys.argv[1] == "bf16":
    dtype = torch.bfloat16
needs_scaling = dtype == torch.float16
model = torch.nn.Linear(4, 4).to("cuda", dtype)
print(needs_scaling, model(torch.ones(2, 4).to("cuda", dtype)).sum())
