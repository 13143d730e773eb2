import torch
import torch_xla.distributed.xla_backend  # noqa: F401

torch.distributed.init_process_group("xla", init_method="pjrt://")
