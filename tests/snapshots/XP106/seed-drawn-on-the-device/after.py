import argparse
import random

import torch
import torch.distributed as dist
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args()
device = torch_xla.device()
seed = args.seed if args.seed is not None else int(torch.randint(1 << 31, size=[]))
random.seed(seed)


def shared(opts):
    drawn_seed = torch.randint(1 << 31, size=[]).to(torch_xla.device())
    dist.broadcast(drawn_seed, src=0)
    opts.seed = int(drawn_seed)


def others():
    on_host_seed = torch.randint(1 << 31, (), device="cpu")
    step = torch.randint(10, (), device=device)
    return on_host_seed, step
