import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP
from transformers import is_torch_tpu_available

xr.use_spmd()
mesh = xs.Mesh([0], (1, 1), ("x", "y"))
model = FSDP(model)
if is_torch_tpu_available():
    total = xm.all_reduce(xm.REDUCE_SUM, model(x))
second = xm.xla_device(1)
many = torch_xla.devices()
what = xm.never_there
gradients = xm._fetch_gradients(model)
