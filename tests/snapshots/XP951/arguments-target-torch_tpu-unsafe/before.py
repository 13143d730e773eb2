import torch
import torch_xla
import torch_xla.core.xla_model as xm

a = torch.optim.SGD([torch.ones(1)], lr=1)
b = a
xm.optimizer_step(a if b else b)
xm.optimizer_step(a, optimizer_args={"closure": None})
xm.optimizer_step(a, optimizer_args={}, groups=[[0]])
y = torch_xla.compile(lambda x: x + 1)(3)
z = torch_xla.compile(lambda x: x + 1) and a
loss = xm.mesh_reduce("loss", y, lambda values: sum(values) / len(values))
total = xm.mesh_reduce("loss", y, max)
if xm.is_xla_tensor(y) and total:
    print(loss)
xm.rendezvous("end")

