import functools
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import (
    FullStateDictConfig,
    FullyShardedDataParallel as FSDP,
    MixedPrecision,
    ShardingStrategy,
    StateDictType,
)
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

from model import Block, Net


def train(model, loader, optimizer, device):
    for images, labels in loader:
        loss = model(images.to(device)).sum()
        loss.backward()
        model.clip_grad_norm_(1.0)
        optimizer.step()


def save(model, path, rank):
    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
        weights = model.state_dict()
    if rank == 0:
        torch.save(weights, path)


def main(loader):
    rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl")
    torch.cuda.set_device(rank)
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    model = FSDP(
        Net(),
        auto_wrap_policy=policy,
        sharding_strategy=ShardingStrategy.FULL_SHARD,
        mixed_precision=MixedPrecision(param_dtype=torch.bfloat16),
        device_id=torch.cuda.current_device(),
        limit_all_gathers=True,
        use_orig_params=True,
    )
    optimizer = torch.optim.AdamW(model.parameters())
    train(model, loader, optimizer, rank)
    save(model, "net.pt", rank)


if __name__ == "__main__":
    main([])
