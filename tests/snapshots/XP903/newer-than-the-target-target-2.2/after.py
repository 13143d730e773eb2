import torch_xla
import torch_xla.debug.metrics as met

device = torch_xla.device()
torch_xla.sync()
print(met.executed_fallback_ops())
