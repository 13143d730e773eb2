"""Sums of what the gradients are taken of, one of them from a method that nobody sees."""

import torch
import torch_xla
from torch import nn

from policies import make_policy


def update(policy, optimizer, batches):
    losses = torch.tensor([0.0], device=torch_xla.device())
    entropies = torch.tensor([0.0], device=torch_xla.device())
    for x, advantage in batches:
        log_probs, entropy = policy.evaluate_actions(x)
        loss = -(log_probs * advantage).mean()
        optimizer.zero_grad()
        (loss - entropy * 0.01).backward()
        optimizer.step()
        losses += loss.detach()
        entropies += entropy.detach()
        torch_xla.sync()
    return losses.item() / 4, entropies.item() / 4


model = make_policy(nn.Linear(4, 2)).to("xla")
print(update(model, torch.optim.Adam(model.parameters()), torch.ones(4, 2, 16, 4).to("xla")))
