import torch
import os
import torch.distributed.fsdp
import torch_xla.distributed.spmd as xs


def share_work():
    """Has each process do a chip's part of what SPMD did in one: all draw alike, gradients averaged."""
    import pickle
    import random
    import sys

    from torch.optim.optimizer import register_optimizer_step_pre_hook

    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return
    group, device = torch.distributed, torch.accelerator.current_accelerator(True)
    if not group.is_initialized():
        group.init_process_group()
    count, begun, numpy = group.get_world_size(), set(), sys.modules.get("numpy")
    drawn = numpy.random.get_state() if numpy else None
    states = pickle.dumps((torch.initial_seed(), torch.get_rng_state(), random.getstate(), drawn))
    shared = torch.tensor(list(states.ljust(2**15)), device=device)
    group.broadcast(shared, 0)
    seed, state, of_python, drawn = pickle.loads(bytes(shared.tolist()))
    torch.manual_seed(seed)  # that of the device
    torch.set_rng_state(state)
    random.setstate(of_python)
    if numpy:
        numpy.random.set_state(drawn)

    def average(optimizer, args, kwargs):
        if len(args) > 1 or kwargs:
            raise RuntimeError("the gradients of a closure are not averaged: average them in it")
        # What fully_shard() divides is averaged in the backward pass.
        weights = (weight for options in optimizer.param_groups for weight in options["params"])
        weights = [weight for weight in weights if not hasattr(weight, "full_tensor")]
        if weights and id(optimizer) not in begun:
            begun.add(id(optimizer))
            sums = torch.stack([weight.detach().float().sum() for weight in weights])
            first = sums.clone()
            group.broadcast(first, 0)
            if not torch.equal(sums, first):
                raise RuntimeError("the processes have begun with other weights: make them behind share_work()")
        for weight in weights:
            if weight.grad is not None:
                group.all_reduce(weight.grad)
                weight.grad.div_(count)

    register_optimizer_step_pre_hook(average)



class OwnShare:
    """Moves batches to a device: each process's share of what has as many rows as the batch."""

    def __init__(self, loader, device, dims=None, per_host=False):
        self.loader, self.device, self.dims = loader, device, dims
        prefix = "LOCAL_" if per_host else ""
        self.count = int(os.environ.get(f"{prefix}WORLD_SIZE", "1"))
        self.place = int(os.environ.get(f"{prefix}RANK", "0"))

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in self.loader:
            rows = self.rows(batch)
            if rows is not None and rows % self.count:
                raise ValueError(f"{self.count} processes cannot divide a batch of {rows}: use drop_last")
            yield self.share(batch, rows)

    def rows(self, value):
        """Those of the first tensor with as many dimensions as what is divided."""
        if isinstance(value, torch.Tensor):
            return len(value) if value.ndim == (self.dims or value.ndim or 1) else None
        parts = value if isinstance(value, (list, tuple)) else getattr(value, "__dict__", {}).values()
        parts = dict(value).values() if hasattr(value, "keys") else parts
        return next((rows for part in parts if (rows := self.rows(part)) is not None), None)

    def share(self, value, rows, inner=False):
        import copy

        if isinstance(value, torch.Tensor):
            is_divided = value.ndim > 0 and len(value) == rows
            return (value.chunk(self.count)[self.place] if is_divided else value).to(self.device)
        if isinstance(value, (list, tuple)):
            if inner and len(value) == rows and not any(isinstance(part, torch.Tensor) for part in value):
                size = rows // self.count
                value = value[self.place * size : (self.place + 1) * size]
            parts = [self.share(part, rows, True) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if hasattr(value, "keys"):
            parts, value = dict(value), copy.copy(value)
            for key, part in parts.items():
                value[key] = self.share(part, rows, True)
        elif hasattr(value, "__dict__"):
            parts, value = vars(value), copy.copy(value)
            for name, part in parts.items():
                setattr(value, name, self.share(part, rows, True))
        return value



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


share_work()


class Prefetch:
    def __init__(self, loader, device, input_sharding):
        self.loader = OwnShare(loader, device, dims=2)

    def __iter__(self):
        for x in self.loader:
            yield x / 255


def optimizer_first(model, mesh):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for weight in model.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp", None))
    return optimizer


def blocks_alone(net, mesh):
    for block in net.blocks:
        for weight in block.parameters():
            xs.mark_sharding(weight, mesh, ("fsdp", None))
    return torch.optim.SGD(net.parameters(), lr=0.1)


def if_asked_for(large, mesh, args):
    if args.fsdp:
        for weight in large.parameters():
            xs.mark_sharding(weight, mesh, ("fsdp", None))
    return torch.optim.SGD(large.parameters(), lr=0.1)


def twice(pair, mesh):
    pair = shard_fully(pair)
    return torch.optim.SGD(pair.parameters(), lr=0.1)


def once_more(pair, mesh):
    for weight in pair.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp", None))


def cleared(model):
    for weight in model.parameters():
        xs.clear_sharding(weight)
    return torch.optim.SGD(model.parameters(), lr=0.1)


def swapped(mesh, loader):
    mesh = xs.get_1d_mesh("data")
    for _ in range(2):
        other = mesh
        mesh = other
    spec = xs.ShardingSpec(mesh, ("data", None))
    return Prefetch(loader, torch.accelerator.current_accelerator(), input_sharding=spec)


run(optimizer_first, blocks_alone, if_asked_for, twice, cleared, swapped)
