import torch
import torch.distributed.checkpoint.state_dict
import torch.distributed.fsdp
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP


def whole_state_dict(model, first_only=False):
    """The whole weights of a sharded model, on the host (of the first process); every process has to call it."""
    states = torch.distributed.checkpoint.state_dict
    options = states.StateDictOptions(full_state_dict=True, cpu_offload=first_only)
    state = states.get_model_state_dict(model, options=options)
    return state if first_only else {name: value.cpu() for name, value in state.items()}


class Trainer:
    def __init__(self, net, device):
        self.net = FSDP(net)
        self.net.to(device)

    def step(self, x) -> torch.Tensor:
        self.net(x).sum().backward()
        return torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0).full_tensor()


def train(net, x):
    model = FSDP(net)
    with model.no_sync():
        model(x).sum().backward()
    state = {"model": whole_state_dict(model), "shard_metadata": model.get_shard_metadata()}
    return state, model.weight, [m for m in model.modules() if isinstance(m, torch.distributed.fsdp.FSDPModule)]
