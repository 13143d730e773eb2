import torch_xla
import torch_xla.core.xla_env_vars as xenv
import torch_xla.core.xla_model as xm
import torch_xla.debug.metrics as met
import torch_xla.runtime as xr
import torch_xla.test.test_utils as test_utils
import torch_xla.utils.serialization as xser
import torch_xla_backend
from torch_xla import tpu
from torch_xla._internal import pjrt
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP

xm.mark_step()
xm.xla_device()
print(met.metrics_report(), xr.world_size(), torch_xla._XLAC._xla_get_default_device(), torch_xla.__version__)
xm.xenv.WORLD_SIZE
getattr(other, "get_ordinal")
