import torch_xla
import torch_xla.core.xla_model as model

torch_xla.sync()
model.wait_device_ops()
