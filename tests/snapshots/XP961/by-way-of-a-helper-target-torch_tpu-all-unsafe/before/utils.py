import torch_xla.runtime as xr


def setup():
    xr.use_spmd()
