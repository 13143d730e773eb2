import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.debug.metrics as met
from torch_xla.amp import syncfree
from torch_xla.utils.checkpoint import checkpoint

torch.manual_seed(0)
torch_xla.manual_seed(0)
device = torch_xla.device()
model = torch.nn.Linear(2, 2).to(xm.xla_device())
optimizer = syncfree.SGD(model.parameters(), lr=0.1)
kinds = {"sgd": syncfree.SGD}
checkpoint(model, torch.zeros(1, 2).to(device), use_reentrant=False).sum().backward()
xm.optimizer_step(optimizer, barrier=True)
xm.wait_device_ops()
xm.master_print("done", optimizer)
xm.save(model.state_dict(), "model.pt")
print(met.metrics_report())


@torch_xla.compile
def step(x):
    return model(x)


compiled = torch_xla.compile(model, full_graph=True)
