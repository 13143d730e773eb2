import torch
import os
import torch.distributed.fsdp
from torch.utils.tensorboard import SummaryWriter


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


share_work()


def save(model, optimizer, path):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def evaluate(model, x):
    if int(os.environ.get("RANK", "0")) != 0:
        return None
    return model(x).mean()


def main(mesh, batches):
    model = torch.nn.Linear(2, 2).to(torch.accelerator.current_accelerator())
    model = shard_fully(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rank, hosts = int(os.environ.get("GROUP_RANK", "0")), int(os.environ.get("GROUP_WORLD_SIZE", "1"))
    mine = [batch for number, batch in enumerate(batches) if number % int(os.environ.get("GROUP_WORLD_SIZE", "1")) == int(os.environ.get("GROUP_RANK", "0"))]
    for x in mine[rank::hosts]:
        model(x).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        evaluate(model, x)
    if rank == 0:
        save(model, optimizer, "model.pt")
    kept = {}
    kept["rank"] = int(os.environ.get("GROUP_RANK", "0"))
    unused = int(os.environ.get("RANK", "0"))
    writer = SummaryWriter(f"runs/{int(os.environ.get('GROUP_RANK', '0'))}")
    return writer, int(os.environ.get("RANK", "0")) == 0, 0, 1, model.weight.grad


main(*made())
