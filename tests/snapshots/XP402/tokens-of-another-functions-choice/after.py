from sampling import choose
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    tokens = torch.tensor(x.tolist()).to(device)
    while tokens.shape[1] < steps:
        token = choose(model(tokens))
        tokens = torch.cat((tokens, token), dim=-1)
    return tokens
