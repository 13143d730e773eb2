import stats
import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
from torch.nn.parallel import DistributedDataParallel


def init():
    dist.init_process_group("xla", init_method="xla://")
    stats.set_up(torch.device("cuda") if dist.get_world_size() > 1 else None)


def main():
    init()
    model = DistributedDataParallel(torch.nn.Linear(2, 2).to("cuda"), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(torch.randn(4, 2, device="cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats.collect(["loss"])


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
