import torch
import torch_xla.distributed.xla_backend
from lib import start

start("xla", backend="xla", init_method="xla://")
BACKEND = "xla"
start(BACKEND, init_method="xla://")
