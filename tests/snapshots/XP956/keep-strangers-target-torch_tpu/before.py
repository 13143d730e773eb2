import torch
from mine import add_step_closure, launch, torch_xla

torch_xla.sync()
launch(print)
add_step_closure(print, args=(1,))
for x in torch_xla.MpDeviceLoader(loader, device):
    print(x, "torch_xla.core.xla_model", torch.__version__)
