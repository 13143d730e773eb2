import torch
import torch_xla.core.xla_model as xm

a = torch.optim.SGD([torch.ones(1)], lr=1)
b = a
(a if b else b).step()
a.step(**{"closure": None})
xm.optimizer_step(a, optimizer_args={}, groups=[[0]])
y = (lambda x: x + 1)(3)
z = (lambda x: x + 1) and a
loss = (lambda values: sum(values) / len(values))([y])
total = max([y])
if y.device.type == "tpu" and total:
    print(loss)
xm.rendezvous("end")

