import math

import torch
import torch_xla

model = torch.nn.Linear(2, 2).to("xla")
right = []
with torch.no_grad():
    for x in torch.utils.data.DataLoader([]):
        out = model(x)
        hits = out.argmax(1) == 1
        much = (out
            > 1)
        batch_right = out.sum()
        torch_xla.sync()
        hits = hits.cpu()
        much = much.cpu()
        right.append(math.exp(batch_right))
        print(hits, much)
