import torch
import torch.distributed as dist
from torch import nn


class GatherLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        output = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(output, x)
        return tuple(output)

    @staticmethod
    def backward(ctx, *grads):
        all_gradients = torch.stack(grads)
        dist.all_reduce(all_gradients)
        return all_gradients[dist.get_rank()]


def main():
    dist.init_process_group("nccl", init_method="env://")
    gpu = dist.get_rank()
    torch.cuda.set_device(gpu)
    model = nn.Linear(4, 4).cuda(gpu)
    model = nn.parallel.DistributedDataParallel(model, device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in torch.utils.data.DataLoader(torch.rand(64, 4), batch_size=8, drop_last=True):
        z = torch.cat(GatherLayer.apply(model(x.cuda(gpu))))
        loss = z.var(0).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
