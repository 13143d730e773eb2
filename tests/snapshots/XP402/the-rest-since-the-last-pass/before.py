import torch
from torch import nn

model = nn.Linear(8, 8).cuda()


@torch.no_grad()
def generate(tokens: torch.Tensor, new):
    tokens, past = tokens.cuda(), None
    for _ in range(new):
        length = past[0].shape[1] if past else 0
        logits, past = model(tokens[:, length:], past)
        token = logits[:, -1].argmax(-1, keepdim=True)
        seen = logits.gather(1, tokens)
        tokens = torch.cat([tokens, token], dim=1)
    return tokens, seen


@torch.no_grad()
def with_cache(tokens: torch.Tensor, new):
    tokens, cache = tokens.cuda(), None
    for _ in range(new):
        logits, left = model(tokens, cache=cache)
        cache = left
        token = logits[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, token], dim=1)
    return tokens


@torch.no_grad()
def with_a_mask(tokens: torch.Tensor, new, mask):
    tokens = tokens.cuda()
    for _ in range(new):
        logits = model(tokens, mask=mask)
        token = logits[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, token], dim=1)
    return tokens
