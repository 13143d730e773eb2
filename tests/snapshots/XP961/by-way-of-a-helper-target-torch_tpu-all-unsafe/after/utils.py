import os
import torch


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


def setup():
    share_work()
