import sys

import torch

precision = sys.argv[1]


def input_dtype():
    if precision == "bf16":
        return torch.bfloat16
    return torch.float16 if precision == "fp16" else torch.float32


def dtype_of_weights():
    return torch.float16 if "fp16" in precision else torch.bfloat16


model = torch.nn.Linear(4, 4).to("cuda", dtype_of_weights())
print(model(torch.ones(2, 4).to("cuda", input_dtype())).sum())
