import functools
import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint.state_dict
import torch.distributed.fsdp
from torch.distributed.fsdp import (
    MixedPrecision,
    ShardingStrategy,
)
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

from model import Block, Net


def whole_state_dict(model, first_only=False):
    """The whole weights of a sharded model, on the host (of the first process); every process has to call it."""
    states = torch.distributed.checkpoint.state_dict
    options = states.StateDictOptions(full_state_dict=True, cpu_offload=first_only)
    state = states.get_model_state_dict(model, options=options)
    return state if first_only else {name: value.cpu() for name, value in state.items()}


def shard_fully(
    model,
    device=None,
    auto_wrap_policy=None,
    mixed_precision=None,
    sharding_strategy=None,
    sync_module_states=False,
):
    """fully_shard() for what FullyShardedDataParallel would wrap: what a policy names, then all."""
    fsdp, given, options, exact, kinds = torch.distributed.fsdp, mixed_precision, {}, {}, ()
    if sharding_strategy is not None and sharding_strategy.name != "FULL_SHARD":
        if sharding_strategy.name != "SHARD_GRAD_OP":
            raise ValueError(f"fully_shard() is asked for {sharding_strategy.name} in another way")
        options["reshard_after_forward"] = False

    def place(module):
        if not isinstance(module, fsdp.FSDPModule):  # that cannot be moved
            module._apply(lambda tensor: tensor.to(device), recurse=False)
            for child in module.children():
                place(child)

    if device is not None:
        place(model)
    if sync_module_states:
        for tensor in (*model.parameters(), *model.buffers()):
            torch.distributed.broadcast(tensor.detach(), 0)
    if given is not None:
        policy, casts = fsdp.MixedPrecisionPolicy, given.cast_forward_inputs or given.cast_root_forward_inputs
        exact = {**options, "mp_policy": policy(torch.float32, output_dtype=given.param_dtype)}
        options["mp_policy"] = policy(given.param_dtype, given.reduce_dtype, cast_forward_inputs=casts)
        # Batch norms, which compute in float32 where a policy can set them apart.
        kinds = tuple(given._module_classes_to_ignore) if auto_wrap_policy is not None else ()
        for module in model.modules() if given.buffer_dtype is not None else ():
            for buffer in module.buffers(recurse=False) if not isinstance(module, kinds) else ():
                if buffer.is_floating_point():
                    buffer.data = buffer.to(given.buffer_dtype)

    def shard(module):
        size = sum(weight.numel() for weight in module.parameters())
        if isinstance(module, fsdp.FSDPModule):
            return size
        if isinstance(module, kinds):
            fsdp.fully_shard(module, **exact)
            return size
        if not auto_wrap_policy(module=module, recurse=True, nonwrapped_numel=size):
            return 0
        below = sum(shard(child) for child in module.children())
        rest = size - below
        stays = module is model or isinstance(module, (torch.nn.ModuleList, torch.nn.ModuleDict))
        if stays or not auto_wrap_policy(module=module, recurse=False, nonwrapped_numel=rest):
            return below
        fsdp.fully_shard(module, **options)
        return size

    if auto_wrap_policy is not None:
        shard(model)
    return fsdp.fully_shard(model, **options)


def train(model, loader, optimizer, device):
    for images, labels in loader:
        loss = model(images.to(device)).sum()
        loss.backward()
        model.clip_grad_norm_(1.0)
        optimizer.step()


def save(model, path, rank):
    weights = whole_state_dict(model, first_only=True)
    if rank == 0:
        torch.save(weights, path)


def main(loader):
    rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl")
    torch.cuda.set_device(rank)
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    model = shard_fully(
        Net(),
        device=torch.accelerator.current_accelerator(),
        auto_wrap_policy=policy,
        sharding_strategy=ShardingStrategy.FULL_SHARD,
        mixed_precision=MixedPrecision(param_dtype=torch.bfloat16),
    )
    optimizer = torch.optim.AdamW(model.parameters())
    train(model, loader, optimizer, rank)
    save(model, "net.pt", rank)


if __name__ == "__main__":
    main([])
