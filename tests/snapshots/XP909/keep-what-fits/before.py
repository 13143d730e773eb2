import torch_xla
import torch_xla.core.xla_model as xm
from mine import compile

torch_xla.sync(wait=True, reset_scope=False)
step = torch_xla.compile(step, max_different_graphs=2)
other = compile(step, num_different_graphs_allowed=2)
print(xm.get_xla_supported_devices(max_devices=2), xm.get_xla_supported_devices(2))
