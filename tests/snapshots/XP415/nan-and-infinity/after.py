import logging
import math
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

logger = logging.getLogger(__name__)
device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    loss = model(x.to(device)).mean()
    if not math.isfinite(loss.item()):
        print("Loss is {}, stopping training".format(loss.item()))
        sys.exit(1)
    if torch.isnan(loss) or torch.isinf(loss):
        logger.warning("the loss is not finite")
        optimizer.zero_grad()
        continue
    assert not torch.isnan(loss).any(), "NaN"
    loss.backward()
    if any(p.grad.isnan().any() for p in model.parameters()):
        raise RuntimeError
    for name, p in model.named_parameters():
        if not torch.isfinite(p.grad).all():
            logger.warning(name)
    if torch.isfinite(loss):
        optimizer.step()
        optimizer.zero_grad()
