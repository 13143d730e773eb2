import torch
import torch.distributed.checkpoint.state_dict
import os
import torch.distributed.fsdp
import torch_xla.distributed.spmd as xs
from torch.utils.data import DataLoader, DistributedSampler


def whole_state_dict(model, first_only=False):
    """The whole weights of a sharded model, on the host (of the first process); every process has to call it."""
    states = torch.distributed.checkpoint.state_dict
    options = states.StateDictOptions(full_state_dict=True, cpu_offload=first_only)
    state = states.get_model_state_dict(model, options=options)
    return state if first_only else {name: value.cpu() for name, value in state.items()}


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


share_work()


def shard(model, mesh):
    for name, weight in model.named_parameters():
        if "norm" in name:
            continue
        if weight.dim() == 2:
            xs.mark_sharding(weight, mesh, ("fsdp", None))
        else:
            xs.mark_sharding(weight, mesh, ("fsdp",))


def train(model, data, per_host):
    rank = int(os.environ.get("RANK", "0"))
    sampler = DistributedSampler(data, num_replicas=int(os.environ.get("GROUP_WORLD_SIZE", "1")), rank=int(os.environ.get("GROUP_RANK", "0")))
    other = DistributedSampler(data, int(os.environ.get("GROUP_WORLD_SIZE", "1")), rank=int(os.environ.get("GROUP_RANK", "0")), shuffle=False)
    model = shard_fully(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(1, int(os.environ.get("LOCAL_WORLD_SIZE", "1")), int(os.environ.get("WORLD_SIZE", "1")))
    for x in OwnShare(DataLoader(data, 8, sampler=sampler), torch.accelerator.current_accelerator(), dims=2, per_host=True):
        loss = model(x).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    for x in OwnShare(
        loader=DataLoader(data, 8, sampler=other),
        device=torch.accelerator.current_accelerator(),
        # of all hosts
        dims=2,
    ):
        print(model(x))
    weights = {name: value.cpu() for name, value in whole_state_dict(model).items()}
    if rank == 0:
        torch.save(weights, "model.pt")
        torch.save(whole_state_dict(model), "again.pt")


train(torch.nn.Linear(2, 2).to(torch.accelerator.current_accelerator()), torch.randn(32, 2), True)
