import torch_xla
import torch_xla.core.xla_model as xla_model

xm = 3
torch_xla.sync()
xla_model.wait_device_ops()
