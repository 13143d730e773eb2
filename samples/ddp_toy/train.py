"""A net of two layers on all GPUs of a machine, as PyTorch's tutorial of DistributedDataParallel has it.

    python train.py
"""

import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ.setdefault("MASTER_PORT", "12355")
    backend = "nccl" if torch.cuda.is_available() else "gloo"
    dist.init_process_group(backend, rank=rank, world_size=world_size)


def cleanup():
    dist.destroy_process_group()


class ToyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net1 = nn.Linear(10, 10)
        self.relu = nn.ReLU()
        self.net2 = nn.Linear(10, 5)

    def forward(self, x):
        return self.net2(self.relu(self.net1(x)))


def batch(rank, step):
    """The rows that a process sees in a step, and what should come of them."""
    generator = torch.Generator().manual_seed(1000 * rank + step)
    x = torch.randn(20, 10, generator=generator)
    return x, x[:, :5] - x[:, 5:]


def train(model, optimizer, rank, device, steps):
    for step in range(steps):
        x, y = batch(rank, step)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        if step % 10 == 0 and rank == 0:
            print(f"step {step} loss {loss.item():.4f}")


def demo_basic(rank, world_size, steps):
    print(f"Running basic DDP example on rank {rank} of {world_size}.")
    setup(rank, world_size)
    torch.manual_seed(0)
    device = torch.device("cuda", rank) if torch.cuda.is_available() else torch.device("cpu")
    model = ToyModel().to(device)
    ddp_model = DDP(model, device_ids=[rank] if torch.cuda.is_available() else None)
    optimizer = torch.optim.SGD(ddp_model.parameters(), lr=0.05)
    train(ddp_model, optimizer, rank, device, steps)
    cleanup()


def demo_checkpoint(rank, world_size, steps):
    print(f"Running DDP checkpoint example on rank {rank} of {world_size}.")
    setup(rank, world_size)
    torch.manual_seed(0)
    device = torch.device("cuda", rank) if torch.cuda.is_available() else torch.device("cpu")
    model = ToyModel().to(device)
    ddp_model = DDP(model, device_ids=[rank] if torch.cuda.is_available() else None)
    path = "toy.checkpoint"
    if rank == 0:
        torch.save(ddp_model.state_dict(), path)
    # The others read what the first has written.
    dist.barrier()
    ddp_model.load_state_dict(torch.load(path, map_location=device))
    optimizer = torch.optim.SGD(ddp_model.parameters(), lr=0.05)
    train(ddp_model, optimizer, rank, device, steps)
    cleanup()


def run_demo(demo_fn, world_size, steps):
    mp.spawn(demo_fn, args=(world_size, steps), nprocs=world_size, join=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", default=40, type=int)
    args = parser.parse_args()
    n_gpus = torch.cuda.device_count() if torch.cuda.is_available() else 1
    assert n_gpus >= 1, f"Requires a GPU, but got {n_gpus}"
    world_size = n_gpus
    run_demo(demo_basic, world_size, args.steps)
    run_demo(demo_checkpoint, world_size, args.steps)
