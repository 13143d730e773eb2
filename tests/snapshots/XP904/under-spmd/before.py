import torch_xla.distributed.xla_multiprocessing as xmp
import torch_xla.runtime as xr

xr.use_spmd()
xmp.spawn(_mp_fn, args=())
