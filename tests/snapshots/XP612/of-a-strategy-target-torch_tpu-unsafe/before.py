import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


class Strategy:
    def __init__(self, net, strategy):
        self.net, self.strategy = net, strategy

    def setup(self, policy, precision):
        self.net = FSDP(
            self.net,
            auto_wrap_policy=policy,
            mixed_precision=precision,
            sharding_strategy=self.strategy,
            device_id=torch.cuda.current_device(),
            limit_all_gathers=True,
        )

    def step(self, optimizer, loss):
        loss.backward()
        self.net.clip_grad_norm_(max_norm=1.0)
        optimizer.step()


def load(model, state):
    model.module.load_state_dict(state)


def either(net, is_sharded):
    if is_sharded:
        model = FSDP(net)
    else:
        model = DDP(net)
    load(model, {})
    return model.module.weight
