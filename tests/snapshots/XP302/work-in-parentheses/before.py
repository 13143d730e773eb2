import math

import torch
import torch_xla

model = torch.nn.Linear(2, 2).to("xla")
right = []
with torch.no_grad():
    for x in torch.utils.data.DataLoader([]):
        out = model(x)
        hits = (out.argmax(1) == 1).cpu()
        much = (
            out
            > 1
        ).cpu()
        right.append(math.exp(out.sum()))
        torch_xla.sync()
        print(hits, much)
