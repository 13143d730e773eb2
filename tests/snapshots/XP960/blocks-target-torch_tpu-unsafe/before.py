import torch
import torch_xla
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP


def placed():
    device = torch_xla.device()
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)).to(device)
    for i, block in enumerate(model):
        model[i] = FSDP(block)
    return FSDP(model)


def two(generator, critic):
    generator = FSDP(generator)
    critic = FSDP(critic)
    return generator, critic


def of_the_host(model):
    model.first = FSDP(model.first)
    return FSDP(model)


def listed(make):
    blocks = [FSDP(make()) for _ in range(3)]
    return FSDP(torch.nn.Sequential(*blocks))


def wrap(module):
    return FSDP(module)


def nested(model):
    model.first = wrap(model.first)
    return wrap(model)


later = lambda module: FSDP(module)


def made_here(size):
    model = torch.nn.Linear(size, size)
    return FSDP(model)


both = [made_here(size) for size in (2, 4)]


def chosen(config, device):
    def wrap(module):
        return FSDP(
            module if config.on_host else module.to(device),
            reshard_after_forward=config.reshards,
        )

    return wrap(torch.nn.Sequential(*(wrap(torch.nn.Linear(2, 2)) for _ in range(2))))
