from functools import partial

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torchvision
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP
from torch_xla.distributed.fsdp.wrap import size_based_auto_wrap_policy


def train(index, loader):
    device = xm.xla_device()
    policy = partial(size_based_auto_wrap_policy, min_num_params=1e6)
    model = FSDP(
        torchvision.models.resnet50(),
        compute_dtype=torch.float32,
        pin_layout_in_collective_ops=True,
        flatten_parameters=False,
        auto_wrap_policy=policy,
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        model.clip_grad_norm_(1.0)
        optimizer.step()
        xm.mark_step()
    return model.module, isinstance(model, FSDP)


if __name__ == "__main__":
    torch_xla.launch(train, args=([],))
