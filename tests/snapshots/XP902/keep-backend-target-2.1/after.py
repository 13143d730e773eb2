import torch
import torch_xla.experimental.pjrt_backend  # noqa: F401

torch.distributed.init_process_group("xla", init_method="pjrt://")
