import torch
import os


def share_work():
    """Has each process do a chip's part of what SPMD did in one: all draw alike, gradients averaged."""
    from torch.optim.optimizer import register_optimizer_step_pre_hook

    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group()
    seed = torch.tensor([torch.initial_seed() % 2**63], device=torch.accelerator.current_accelerator(True))
    torch.distributed.broadcast(seed, 0)
    torch.manual_seed(seed.item())
    count = torch.distributed.get_world_size()

    def average(optimizer, args, kwargs):
        for weight in (weight for group in optimizer.param_groups for weight in group["params"]):
            # What fully_shard() divides is averaged in the backward pass.
            if weight.grad is not None and not hasattr(weight, "full_tensor"):
                torch.distributed.all_reduce(weight.grad)
                weight.grad.div_(count)

    register_optimizer_step_pre_hook(average)


class Net(torch.nn.Module):
    def __init__(self, mesh):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        x = self.layer(x)
        x = (x + 1) * 2
        return (x)


share_work()
Net(None)
