import torch
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main(data):
    rank = xr.process_index()
    sampler = DistributedSampler(data, num_replicas=xr.process_count(), rank=rank)
    loader = DataLoader(data, batch_size=8 * xr.global_runtime_device_count(), sampler=sampler)
    whole = DataLoader(data, batch_size=8)
    model = nn.Sequential(nn.Linear(40, 40), nn.Linear(40, 4))
    model.to(torch_xla.device())
    mesh = xs.get_1d_mesh("fsdp")
    for parameter in model.parameters():
        xs.mark_sharding(parameter, mesh, ("fsdp",) + (None,) * (parameter.dim() - 1))
    total = torch.zeros(1)
    state = {name: value.cpu() for name, value in model.state_dict().items()}
    if xr.process_index() == 0:
        torch.save((state, len(loader), len(whole)), "model.pt")


if __name__ == "__main__":
    xr.use_spmd()
    main([])
