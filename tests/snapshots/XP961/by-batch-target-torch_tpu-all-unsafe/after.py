# No guard, and the device is used as the file is read.
import sys

from torch.utils.data import DataLoader
from torchvision.datasets import MNIST
from torchvision.transforms import ToTensor
import torch
import os


def share_work():
    """Has each process do a chip's part of what SPMD did in one: all draw alike, gradients averaged."""
    from torch.optim.optimizer import register_optimizer_step_pre_hook

    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group()
    seed = torch.tensor([torch.initial_seed() % 2**63], device=torch.accelerator.current_accelerator(True))
    torch.distributed.broadcast(seed, 0)
    torch.manual_seed(seed.item())
    count = torch.distributed.get_world_size()

    def average(optimizer, args, kwargs):
        for weight in (weight for group in optimizer.param_groups for weight in group["params"]):
            # What fully_shard() divides is averaged in the backward pass.
            if weight.grad is not None and not hasattr(weight, "full_tensor"):
                torch.distributed.all_reduce(weight.grad)
                weight.grad.div_(count)

    register_optimizer_step_pre_hook(average)



class OwnShare:
    """Moves a loader's batches to a device, each divided over the processes by its first dimension."""

    def __init__(self, loader, device, per_host=False):
        self.loader, self.device = loader, device
        prefix = "LOCAL_" if per_host else ""
        self.count = int(os.environ.get(f"{prefix}WORLD_SIZE", "1"))
        self.place = int(os.environ.get(f"{prefix}RANK", "0"))

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        return (torch.utils._pytree.tree_map(self.part, batch) for batch in self.loader)

    def part(self, value):
        if not isinstance(value, torch.Tensor):
            return value
        if value.ndim == 0:
            return value.to(self.device)
        if len(value) % self.count:
            raise ValueError(f"{self.count} processes cannot divide a batch of {len(value)}")
        return value.chunk(self.count)[self.place].to(self.device)


share_work()



device = torch.accelerator.current_accelerator()
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(MNIST(sys.argv[1], transform=ToTensor()), batch_size=64, num_workers=2)
for x, y in OwnShare(loader, device):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
