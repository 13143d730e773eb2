import torch
import torch.distributed.fsdp
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel
from torch_xla.distributed.fsdp.wrap import always_wrap_policy


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


def halves(net):
    return shard_fully(net, device=torch.accelerator.current_accelerator(), mixed_precision=torch.distributed.fsdp.MixedPrecision(param_dtype=torch.bfloat16, buffer_dtype=torch.bfloat16), auto_wrap_policy=always_wrap_policy)


def apart(net, flags):
    return shard_fully(
        net,
        device=torch.accelerator.current_accelerator(),
        sharding_strategy=None if flags.reshard else torch.distributed.fsdp.ShardingStrategy.SHARD_GRAD_OP,
        mixed_precision=torch.distributed.fsdp.MixedPrecision(param_dtype=getattr(torch, flags.dtype), reduce_dtype=torch.float32 if (flags.exact or flags.debug) else None),
    )


def buffers(net):
    return XlaFullyShardedDataParallel(net, False, compute_dtype=None)


def kept_whole(net):
    return shard_fully(
        net if net.training else net.eval(),
        device=torch.accelerator.current_accelerator(),
        sharding_strategy=torch.distributed.fsdp.ShardingStrategy.SHARD_GRAD_OP,
        mixed_precision=torch.distributed.fsdp.MixedPrecision(buffer_dtype=torch.bfloat16),
    )


def reduced(net):
    return shard_fully(net, device=torch.accelerator.current_accelerator(), mixed_precision=torch.distributed.fsdp.MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, buffer_dtype=torch.bfloat16))
