import torch
from torch import nn


class GPT(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.head = nn.Linear(8, 100)
        self.register_buffer("mask", torch.triu(torch.ones(size, size), diagonal=1))

    def forward(self, tokens):
        return self.head(tokens)


def choose(logits, temperature):
    scores = logits[:, -1, :] / temperature
    return torch.multinomial(scores.softmax(-1), num_samples=1)


def likeliest(scores):
    return scores[:, -1].argmax(-1, keepdim=True)


@torch.no_grad()
def generate(model, tokens: torch.Tensor, new, size, suffix):
    tokens = tokens.cuda()
    for _ in range(new):
        cut = tokens[:, -size:]
        hidden = model(cut)
        last = hidden[:, -1:]
        both = torch.cat((last, suffix), dim=-1)
        scores = model.head(both)
        token = torch.argmax(scores[:, -1], dim=-1, keepdim=True)
        tokens = torch.cat((tokens, token), dim=1)
    return tokens


@torch.no_grad()
def sample(model, tokens: torch.Tensor, new):
    tokens = tokens.cuda()
    while tokens.size(1) < new:
        logits = model(tokens)
        token = choose(logits, temperature=0.7)
        tokens = torch.cat((tokens, token), dim=1)
        if (tokens[..., -1] == 0).all():
            break
    return tokens


@torch.no_grad()
def first_row(model, tokens: torch.Tensor, new):
    tokens = tokens.cuda()
    for _ in range(new):
        logits, states = model(tokens)
        token = logits[0, -1].argmax(-1, keepdim=True)[None] + states[-1][..., -1].sum() + likeliest(token)
        tokens = torch.cat((tokens, token), dim=1)
    return tokens


model = GPT(64).cuda()
generate(model, torch.zeros(1, 4).long(), 8, 64, torch.zeros(1, 1, 8))
sample(model, torch.zeros(1, 4).long(), 8)
first_row(model, torch.zeros(1, 4).long(), 8)
