import torch
from torch import distributions
from torch import nn
from torch.distributions import Bernoulli, Normal


class FixedCategorical(torch.distributions.Categorical):
    def mode(self):
        return self.probs.argmax(-1)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 2)
        self.deviation = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        mean = self.mean(x)
        dist = Normal(mean, self.deviation.exp(), validate_args=False)
        joint = distributions.Independent(
            Normal(
                mean,
                torch.exp(self.deviation), validate_args=False,  # positive
            ),
            1, validate_args=False,
        )
        choice = FixedCategorical(logits=mean, validate_args=False)
        try:
            coin = Bernoulli(probs=mean.sigmoid())
        except ValueError:
            coin = None
        return dist.sample(), joint, choice, coin


policy = Policy().to("cuda")
