import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
from torch.nn.parallel import DistributedDataParallel as DDP


def evaluate(model, loader):
    for x in loader:
        model(x)


def main(loader):
    dist.init_process_group("xla", init_method="xla://")
    model = DDP(torch.nn.Linear(4, 1).cuda(), gradient_as_bucket_view=True)
    evaluate(model, loader)


def _mp_fn(index):
    main(load())


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
