import torch
from torch import nn
from torch.distributions import MultivariateNormal, OneHotCategorical
from torch.distributions.relaxed_bernoulli import LogitRelaxedBernoulli, RelaxedBernoulli


class Letters(OneHotCategorical):
    def mode(self):
        return self.probs.argmax(-1)


class Gates(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 2)

    def forward(self, x):
        score = self.score(x)
        gate = RelaxedBernoulli(0.5, logits=score).rsample()
        plain = LogitRelaxedBernoulli(0.5, logits=score).rsample()
        letter = Letters(logits=score).sample()
        spread = MultivariateNormal(score, score.T @ score).sample()
        factor = MultivariateNormal(score, scale_tril=(score.T @ score).tril()).sample()
        return gate, plain, letter, spread, factor


gates = Gates().to("cuda")
