import torch
from torch import nn


def train(batches, target_kl):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        for batch in batches:
            loss = model(batch.cuda()).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        # It waits once for an epoch.
        if target_kl is not None and loss > target_kl:
            break
