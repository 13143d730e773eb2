import torch
import torch_xla
from torch import nn


class Chosen(torch.distributions.Categorical):
    def mode(self):
        return self.probs.argmax(dim=-1)


def initialised(layer, gain):
    nn.init.orthogonal_(layer.weight.data, gain=gain)
    return layer


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        of = lambda layer: initialised(layer, 0.01)
        self.head = of(nn.Linear(4, 2))

    def forward(self, x):
        x = self.head(x)
        return Chosen(logits=x)


device = torch_xla.device()
policy = Policy().to(device)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
for x in [torch.randn(8, 4) for _ in range(6)]:
    chosen = policy(x.to(device))
    loss = -chosen.log_prob(chosen.sample()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
