import torch
import torch.distributed as dist
import torch.nn as nn
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr


def check_consistency(module):
    for name, tensor in module.state_dict().items():
        other = tensor.clone()
        dist.broadcast(tensor=other, src=0)
        assert (tensor == other).all(), name


def main():
    dist.init_process_group(backend="xla", init_method="xla://")
    torch.cuda.set_device(xr.local_ordinal())
    device = torch.device('cuda')
    net = nn.Linear(4, 4).to(device)
    optim = torch.optim.SGD(net.parameters(), lr=0.1)
    ddp = nn.parallel.DistributedDataParallel(net, gradient_as_bucket_view=True)
    for step in range(100):
        loss = ddp(torch.randn(8, 4, device=device)).pow(2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
    check_consistency(net)


def _mp_fn(index):
    main()


if __name__ == '__main__':
    torch_xla.launch(_mp_fn)
