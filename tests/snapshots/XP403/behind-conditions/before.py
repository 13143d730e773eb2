import torch
import torch.distributed as dist
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)


@torch.no_grad()
def evaluate(batches, shared):
    """A condition that stays: where it does not hold, the host alone decides."""
    signal = torch.ones((), dtype=torch.int64, device=device)
    while True:
        if shared:
            batch = next(batches, None)
            signal.fill_(0 if batch is None else 1)
            dist.broadcast(signal, src=0)
            if signal.item() == 0:
                break
        else:
            batch = next(batches, None)
            if batch is None:
                break
        model(torch.zeros(8, 4, device=device))


@torch.no_grad()
def generate(token, steps):
    """What the host knows is asked first: only from then on does a pass wait."""
    for t in range(steps):
        token = model(token)
        if t > 9 and (token > 0.5).all():
            break
    for t in range(steps):
        token = model(token)
        if (token > 0.5).all() and t > 9:
            break
    return token


@torch.no_grad()
def thinned(scores, kept):
    """What is made in the loop goes where another tensor is, which has to be fetched, too."""
    while True:
        few = torch.tensor([len(str(s)) < 9 for s in range(len(scores))], device=kept.device)
        if few.any():
            scores = scores[~few]
            scores = model(scores)
        else:
            break
    return scores


def run(batches):
    evaluate(batches, True)
    generate(torch.zeros(1, 4, device=device), 99)
    thinned(torch.ones(7, 4, device=device), torch.ones(7, device=device))
