import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm

dist.init_process_group()
got = xm.rendezvous("a", b"x")
other = xm.rendezvous("a")
xm.rendezvous("a", b"x")
xm.rendezvous("a", replicas=[0, 1])
xm.rendezvous("a")
