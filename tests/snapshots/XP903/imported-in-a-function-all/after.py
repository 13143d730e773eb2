def rank():
    import torch_xla.runtime as xr

    return xr.global_ordinal()


def size():
    import torch_xla.runtime as pjrt

    return pjrt.world_size()
