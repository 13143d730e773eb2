import os
import torch


def average_gradients(optimizer):
    """Averages an optimizer's gradients over all processes, as torch_xla's optimizer_step() did; gives the optimizer."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        if not torch.distributed.is_initialized():
            torch.distributed.init_process_group()
        count = torch.distributed.get_world_size()
        for weight in (weight for group in optimizer.param_groups for weight in group["params"]):
            if weight.grad is not None:
                torch.distributed.all_reduce(weight.grad)
                weight.grad.div_(count)
    return optimizer


def step(loss, optimizer):
    loss.backward()
    average_gradients(optimizer).step()
