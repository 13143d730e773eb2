import torch
import torch_xla
from torch import nn

import outputs_that_others_get

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    log = outputs_that_others_get.Logger(["train"])
    for step, x in enumerate(torch.rand(80, 8, 4)):
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        outputs_that_others_get.KEPT[0].append(str(step))
        log.add(loss.item())
        if step % 4 == 0:
            log.dump()


train()
