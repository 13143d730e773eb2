import torch


class Board:
    def to(self, rank):
        return self


def work(rank, x, dtype, other, device_id):
    Board().to(rank)
    x.to(dtype)
    x.to(other)
    x.expand(rank)
    x.view(rank, -1)
    x.insert(0)
    torch.full((rank,), device_id)
    torch.device(rank)
    x.convert.to("rank")
    x.move(device_id)
    for device_idx in range(2):
        print(torch.cuda.memory_summary(device=device_idx))
    return x.to(rank + 1), 0 if rank else 1
