import torch as th
from torch.nn import functional as F


def metrics(model, device, x: th.Tensor, y: th.Tensor):
    loss = F.mse_loss(model(x.to(device)), y.to(device))
    penalty = model(x.to(device)).pow(2).mean()
    both = th.stack([loss, penalty]).detach()
    counts = th.stack([(x > 0).sum(), (y > 0).sum()])
    return both, counts, th.maximum(loss, penalty), th.minimum(F.l1_loss(x, y), penalty)


metrics(th.nn.Linear(4, 1).to("xla"), th.device("xla"), th.zeros(2, 4, device="xla"), th.zeros(2, 1, device="xla"))
