import torch_xla
import torch_xla.backends
import torch_xla.core.xla_model as xm
from torch_xla.experimental.scan import scan

torch_xla.sync()
torch_xla.manual_seed(1)
torch_xla.launch(train, args=())
torch_xla.backends.set_mat_mul_precision("highest")
xm.xla_device_kind()
device = torch_xla.device()
