import torch
import torch.distributed.fsdp
import torch_xla


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


def placed():
    device = torch_xla.device()
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)).to(device)
    for i, block in enumerate(model):
        model[i] = shard_fully(block, device=device)
    return shard_fully(model)


def two(generator, critic):
    generator = shard_fully(generator, device=torch.accelerator.current_accelerator())
    critic = shard_fully(critic, device=torch.accelerator.current_accelerator())
    return generator, critic


def of_the_host(model):
    model.first = shard_fully(model.first, device=torch.accelerator.current_accelerator())
    return shard_fully(model, device=torch.accelerator.current_accelerator())


def listed(make):
    blocks = [shard_fully(make(), device=torch.accelerator.current_accelerator()) for _ in range(3)]
    return shard_fully(torch.nn.Sequential(*blocks), device=torch.accelerator.current_accelerator())


def wrap(module):
    return shard_fully(module, device=torch.accelerator.current_accelerator())


def nested(model):
    model.first = wrap(model.first)
    return wrap(model)


later = lambda module: shard_fully(module, device=torch.accelerator.current_accelerator())


def made_here(size):
    model = torch.nn.Linear(size, size)
    return shard_fully(model, device=torch.accelerator.current_accelerator())


both = [made_here(size) for size in (2, 4)]


def chosen(config, device):
    def wrap(module):
        return shard_fully(
            module if config.on_host else module,
            device=torch.accelerator.current_accelerator(),
            sharding_strategy=None if config.reshards else torch.distributed.fsdp.ShardingStrategy.SHARD_GRAD_OP,
        )

    return wrap(torch.nn.Sequential(*(wrap(torch.nn.Linear(2, 2)) for _ in range(2))))
