import torch
import os
from accelerate import notebook_launcher


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


def train(index):
    model = torch.nn.Linear(2, 2)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.ones(2, 2)).sum().backward()
        average_gradients(opt).step()


notebook_launcher(train, num_processes=8)
