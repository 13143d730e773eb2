import torch
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch_xla.distributed.spmd import mark_sharding, mark_sharding_with_gradients


class Net(torch.nn.Module):
    def __init__(self, mesh):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        mesh = xs.get_global_mesh()
        x = self.layer(x)
        xs.mark_sharding(x, mesh, ("data", None))
        if self.training:
            xs.mark_sharding(x, mesh, ("data", None))
        x = mark_sharding_with_gradients(x + 1, mesh, ("data", None)) * 2
        return mark_sharding(x, mesh, ("data", None))


xr.use_spmd(auto=False)
Net(None)
