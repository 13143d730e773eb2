import torch_xla.runtime as xr


def setup(rank):
    local_rank = xr.local_ordinal()
    again = xr.local_ordinal()
    return local_rank, again
