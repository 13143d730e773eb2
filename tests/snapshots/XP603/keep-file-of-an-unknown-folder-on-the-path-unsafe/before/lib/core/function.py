import torch
import torch.distributed as dist


def validate(model):
    loss = model(torch.ones(1, 4, device="cuda")).sum()
    dist.all_reduce(loss)
    print(loss.item())
